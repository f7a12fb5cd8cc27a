package io.loadertuner.service.web;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request whose body ends with an exception where it becomes too large, whatever length it announced. */
final class LimitedBody extends HttpServletRequestWrapper {
    private @Nullable ServletInputStream limited;

    LimitedBody(HttpServletRequest request) {
        super(request);
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        ServletInputStream known = limited;
        if (known == null) {
            known = new Limited(super.getInputStream());
            limited = known;
        }
        return known;
    }

    private static final class Limited extends ServletInputStream {
        private final ServletInputStream body;
        private long left = BodyTooLargeException.MOST_BYTES;

        Limited(ServletInputStream body) {
            this.body = body;
        }

        @Override
        public int read() throws IOException {
            int next = body.read();
            return next < 0 ? next : counted(1, next);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = body.read(bytes, offset, length);
            return count < 0 ? count : counted(count, count);
        }

        private int counted(int count, int result) throws IOException {
            left -= count;
            if (left < 0) {
                throw new BodyTooLargeException();
            }
            return result;
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(listener);
        }
    }
}
