package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.ServiceCalls.Answer;
import io.loadertuner.service.ServiceProcess;
import tools.jackson.databind.JsonNode;

/** Posts studies to a service, waits for their ends, and reads their trials. */
record TunedStudies(ServiceProcess service) {
    /** A study that must be completed. */
    JsonNode tune(String descriptor) {
        JsonNode study = post(descriptor);
        assertThat(study.get("state").asString()).as("%s", study).isEqualTo("completed");
        return study;
    }

    /** A study at its end. */
    JsonNode post(String descriptor) {
        Answer answer = service.calls().post("/api/v1/studies?wait=300", descriptor);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return answer.body();
    }

    JsonNode trials(JsonNode study) {
        return service.calls()
                .get("/api/v1/studies/" + study.get("id").asString() + "/trials")
                .body()
                .get("items");
    }

    JsonNode trialWithWorkers(JsonNode study, int workers) {
        for (JsonNode trial : trials(study)) {
            if (trial.at("/config/num_workers").asInt() == workers) {
                return trial;
            }
        }
        throw new AssertionError("no trial with " + workers + " workers: " + trials(study));
    }
}
