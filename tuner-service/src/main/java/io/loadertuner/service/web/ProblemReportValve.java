package io.loadertuner.service.web;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatusCode;

/** What Tomcat itself refuses, and what no controller or advice answers: as a problem too. */
public final class ProblemReportValve extends ErrorReportValve {
    private static final Logger log = LoggerFactory.getLogger(ProblemReportValve.class);

    @Override
    protected void report(Request request, Response response, @Nullable Throwable thrown) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        if (thrown != null && status >= 500) {
            log.error("Unexpected error at {}", CallTrace.instance(CallTrace.of(request)), thrown);
        }
        try {
            CallGuard.secure(response);
            response.setHeader(CallTrace.HEADER, CallTrace.of(request));
            StatusProblems.of(HttpStatusCode.valueOf(status)).of(request).writeTo(response);
            response.finishResponse();
        } catch (IOException | IllegalStateException gone) {
            log.debug("An error could not be reported to its caller", gone);
        }
    }
}
