package io.loadertuner.service.contract;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came back over a connection of its own, on which anything can be sent: an HTTP client would refuse to.
 *
 * @param headers by name in any case; the last of those with the same name
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RawAnswer(int status, Map<String, String> headers, byte[] body) {
    private static final int MOST_MILLISECONDS = 60_000;

    static RawAnswer to(FuzzedCall call, int port) throws IOException {
        byte[] body = call.body() == null ? new byte[0] : call.body();
        StringBuilder head = new StringBuilder();
        head.append(call.method()).append(' ').append(call.target()).append(" HTTP/1.1\r\n");
        call.headers().forEach(line -> head.append(line).append("\r\n"));
        head.append("Host: 127.0.0.1:").append(port).append("\r\nConnection: close\r\n");
        if (call.body() != null) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        head.append("\r\n");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(MOST_MILLISECONDS);
            try {
                socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream().write(body);
            } catch (IOException refusedEarly) {
                // It may have answered before it had read all.
            }
            return parsed(socket.getInputStream().readAllBytes());
        }
    }

    private static RawAnswer parsed(byte[] all) throws IOException {
        String text = new String(all, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new IOException("no answer: " + text);
        }
        String[] lines = text.substring(0, end).split("\r\n", -1);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int line = 1; line < lines.length; line++) {
            int colon = lines[line].indexOf(':');
            headers.put(
                    lines[line].substring(0, colon),
                    lines[line].substring(colon + 1).strip());
        }
        String body = text.substring(end + 4);
        if (headers.getOrDefault("Transfer-Encoding", "").equals("chunked")) {
            body = unchunked(body);
        }
        return new RawAnswer(
                Integer.parseInt(lines[0].split(" ", 3)[1]), headers, body.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String unchunked(String body) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        int at = 0;
        while (at < body.length()) {
            int line = body.indexOf("\r\n", at);
            int length = Integer.parseInt(body.substring(at, line).strip(), 16);
            if (length == 0) {
                break;
            }
            whole.writeBytes(body.substring(line + 2, line + 2 + length).getBytes(StandardCharsets.ISO_8859_1));
            at = line + 2 + length + 2;
        }
        return whole.toString(StandardCharsets.ISO_8859_1);
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** Without its parameters. */
    String mediaType() {
        String type = header("Content-Type");
        return type.contains(";") ? type.substring(0, type.indexOf(';')) : type;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
