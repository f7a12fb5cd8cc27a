package io.loadertuner.service.security;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.service.settings.UnusableSettingException;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1"})
    void aLoopbackAddressIsListenedOn(String address) throws IOException {
        InetAddress loopback = InetAddress.getAllByName(address)[0];

        assertThatCode(() -> Access.requireLoopback(loopback)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "192.168.0.1", "::"})
    void anyOtherAddressIsNot(String address) throws IOException {
        InetAddress reachable = InetAddress.getAllByName(address)[0];

        assertThatThrownBy(() -> Access.requireLoopback(reachable)).isInstanceOf(UnusableSettingException.class);
        assertThatThrownBy(() -> Access.requireLoopback(null)).isInstanceOf(UnusableSettingException.class);
    }
}
