package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real Chromium without a window. */
final class Browser implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(60);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    private static final String AXE = "axe.min.js";
    private static final String CHECK = """
            const done = arguments[arguments.length - 1];
            axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(
                found => done(found.violations.map(one =>
                    one.id + ": " + one.help + " " + one.nodes.map(node => node.html.slice(0, 200)).join(" | "))));
            """;

    private final ChromeDriver driver;
    private URI base;

    private Browser(ChromeDriver driver, URI base) {
        this.driver = driver;
        this.base = base;
    }

    /** Skips the test where there is no Chromium. */
    static Browser open(URI base) {
        Optional<Path> browser = program("chromium");
        Optional<Path> remote = program("chromedriver");
        assumeTrue(browser.isPresent() && remote.isPresent(), "no chromium and chromedriver on the path");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser.orElseThrow().toFile());
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--lang=en-US");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(remote.orElseThrow().toFile())
                .usingAnyFreePort()
                .build();
        Browser opened = new Browser(new ChromeDriver(service, options), base);
        opened.size(1280, 900);
        return opened;
    }

    private static Optional<Path> program(String name) {
        return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(":"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** From now on pages are asked for there. */
    void at(URI other) {
        base = other;
    }

    void visit(String path) {
        driver.get(base.resolve(path).toString());
    }

    /** The path and the query of the page that is shown. */
    String address() {
        URI shown = URI.create(driver.getCurrentUrl());
        return shown.getRawPath() + (shown.getRawQuery() == null ? "" : "?" + shown.getRawQuery());
    }

    String awaitAddress(String pattern) {
        return await("address " + pattern, () -> Optional.of(address()).filter(shown -> shown.matches(pattern)));
    }

    /** The element, as soon as it is there and seen. */
    WebElement see(String css) {
        return await(
                css,
                () -> driver.findElements(By.cssSelector(css)).stream()
                        .filter(WebElement::isDisplayed)
                        .findFirst());
    }

    /** The text of the element, as soon as it has that in it. */
    String read(String css, String part) {
        return await(
                css + " with '" + part + "'",
                () -> driver.findElements(By.cssSelector(css)).stream()
                        .map(WebElement::getText)
                        .filter(text -> text.contains(part))
                        .findFirst());
    }

    List<String> texts(String css) {
        return driver.findElements(By.cssSelector(css)).stream()
                .map(WebElement::getText)
                .toList();
    }

    List<String> attributes(String css, String attribute) {
        return driver.findElements(By.cssSelector(css)).stream()
                .map(element -> Objects.requireNonNullElse(element.getDomAttribute(attribute), ""))
                .toList();
    }

    /** Pressed anew where the page has put another in its place meanwhile. */
    void press(String css) {
        await("pressed " + css, () -> {
            see(css).click();
            return Optional.of(css);
        });
    }

    void type(String css, String text) {
        WebElement field = see(css);
        field.clear();
        field.sendKeys(text);
    }

    void choose(String css, String value) {
        see(css + " option[value='" + value + "']").click();
    }

    void agree() {
        driver.switchTo().alert().accept();
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    ChromeDriver driver() {
        return driver;
    }

    void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    void dark(boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    /** Fails with every rule of accessibility that the page breaks, as axe finds them. */
    void requireAccessible() {
        if (!Boolean.TRUE.equals(run("return typeof axe !== 'undefined'"))) {
            run(axe());
        }
        assertThat(driver.executeAsyncScript(CHECK)).as(address()).isEqualTo(List.of());
    }

    /** What the page, and not this test, did wrong by its own console. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(entry -> entry.getMessage())
                .toList();
    }

    /** All of the page, from its top to its end. */
    void picture(Path file) {
        Object height = run("return document.documentElement.scrollHeight");
        Object width = run("return innerWidth");
        Map<String, Object> taken = driver.executeCdpCommand(
                "Page.captureScreenshot",
                Map.of(
                        "captureBeyondViewport",
                        true,
                        "clip",
                        Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1)));
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, Base64.getDecoder().decode((String) taken.get("data")));
        } catch (IOException unwritten) {
            throw new UncheckedIOException(unwritten);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }

    private <T> T await(String what, Supplier<Optional<T>> look) {
        return Awaitility.await(what)
                .atMost(SOON)
                .pollDelay(Duration.ZERO)
                .pollInterval(BETWEEN_LOOKS)
                .pollInSameThread()
                .ignoreException(StaleElementReferenceException.class)
                .until(look::get, Optional::isPresent)
                .orElseThrow();
    }

    private static String axe() {
        try (InputStream script = Browser.class.getClassLoader().getResourceAsStream(AXE)) {
            return new String(Objects.requireNonNull(script, AXE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
