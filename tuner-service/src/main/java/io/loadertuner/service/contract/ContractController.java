package io.loadertuner.service.contract;

import java.time.Duration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/v1/openapi.json}: every call, as OpenAPI 3.1. */
@RestController
class ContractController {
    private static final Resource DOCUMENT = new ClassPathResource("openapi.json");

    @GetMapping(path = "/api/v1/openapi.json", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Resource> document() {
        return ResponseEntity.ok()
                .cacheControl(CacheControl.maxAge(Duration.ofHours(1)))
                .body(DOCUMENT);
    }
}
