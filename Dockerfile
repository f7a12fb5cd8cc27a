# The jar is built before: mvn -DskipTests package
FROM eclipse-temurin:17-jre-noble

RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*

# Which build of PyTorch, for the CPU or for CUDA, is a matter of the index: --build-arg PIP_INDEX_URL=…
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL
ARG TORCH=torch==2.13.0
RUN python3 -m venv /opt/loader-tuner/python \
    && /opt/loader-tuner/python/bin/pip install --no-cache-dir "$TORCH" numpy pillow

RUN useradd --system --uid 10001 --user-group --home-dir /var/lib/loader-tuner --create-home loader-tuner
COPY tuner-service/target/tuner-service.jar /tmp/tuner-service.jar
# Unpacked, and with an archive of its classes, the service starts three times as fast.
RUN java -Djarmode=tools -jar /tmp/tuner-service.jar extract --destination /opt/loader-tuner/service \
    && java -XX:ArchiveClassesAtExit=/opt/loader-tuner/service/tuner-service.jsa -Dspring.context.exit=onRefresh \
        -jar /opt/loader-tuner/service/tuner-service.jar --loader-tuner.home=/tmp/loader-tuner \
    && rm -r /tmp/tuner-service.jar /tmp/loader-tuner

WORKDIR /var/lib/loader-tuner
USER 10001:10001
ENV LOADER_TUNER_PYTHON=/opt/loader-tuner/python/bin/python \
    LOADERTUNER_HOME=/var/lib/loader-tuner
VOLUME /var/lib/loader-tuner
EXPOSE 8080
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=25", "-XX:SharedArchiveFile=/opt/loader-tuner/service/tuner-service.jsa", \
    "-jar", "/opt/loader-tuner/service/tuner-service.jar"]
