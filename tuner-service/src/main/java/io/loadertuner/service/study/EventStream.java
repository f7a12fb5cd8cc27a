package io.loadertuner.service.study;

import java.io.IOException;

/** A connection that events are sent over. */
interface EventStream {
    /** @throws IOException if whoever listened has gone */
    void send(long id, String kind, String json) throws IOException;

    /** Sends what says nothing but that the connection lives. */
    void sendSignOfLife() throws IOException;

    void end();
}
