package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class InterruptShieldTest {
    @Test
    void anInterruptThatCameBeforeIsFeltAfterTheWork() {
        InterruptShield shield = new InterruptShield();
        Thread.currentThread().interrupt();

        boolean during = shield.call(() -> Thread.currentThread().isInterrupted());

        assertThat(during).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptWaitsUntilTheWorkIsDone() throws InterruptedException {
        InterruptShield shield = new InterruptShield();
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        AtomicBoolean disturbed = new AtomicBoolean();
        AtomicBoolean feltAfterwards = new AtomicBoolean();
        Thread worker = new Thread(() -> {
            shield.run(() -> {
                working.countDown();
                try {
                    enough.await();
                } catch (InterruptedException tooEarly) {
                    disturbed.set(true);
                }
            });
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException felt) {
                feltAfterwards.set(true);
            }
        });
        worker.start();
        working.await();

        Thread interrupter = new Thread(() -> shield.interrupt(worker));
        interrupter.start();
        interrupter.join(100);
        enough.countDown();
        worker.join();

        assertThat(disturbed).isFalse();
        assertThat(feltAfterwards).isTrue();
    }
}
