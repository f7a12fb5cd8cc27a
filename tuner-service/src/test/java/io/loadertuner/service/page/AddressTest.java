package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressTest {

    @Test
    void anAddressHasWhatWasAskedForAndNothingElse() {
        Address asked = Address.of("/studies")
                .with("q", "50 % & more")
                .with("state", "")
                .with("sort", null);

        assertThat(asked.text()).isEqualTo("/studies?q=50+%25+%26+more");
        assertThat(asked.with("page", 2).text()).isEqualTo("/studies?q=50+%25+%26+more&page=2");
        assertThat(asked.with("q", null).text()).isEqualTo("/studies");
    }
}
