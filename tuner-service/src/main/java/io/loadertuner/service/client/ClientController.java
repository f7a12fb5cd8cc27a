package io.loadertuner.service.client;

import java.time.Duration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /client/loader_tuner.py}: one file, to be copied beside training code. */
@RestController
class ClientController {
    private static final Resource FILE = new ClassPathResource("client/loader_tuner.py");

    @GetMapping(path = "/client/loader_tuner.py", produces = "text/x-python;charset=UTF-8")
    ResponseEntity<Resource> file() {
        return ResponseEntity.ok()
                .cacheControl(CacheControl.maxAge(Duration.ofHours(1)))
                .body(FILE);
    }
}
