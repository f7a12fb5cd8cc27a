package io.loadertuner.core.dataset;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.loadertuner.core.space.InvalidFieldException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where samples come from. In JSON the field {@code kind} tells which. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Source.ImageFolder.class, name = "image_folder"),
    @JsonSubTypes.Type(value = Source.Array.class, name = "array"),
    @JsonSubTypes.Type(value = Source.TarShards.class, name = "tar_shards"),
    @JsonSubTypes.Type(value = Source.Python.class, name = "python"),
    @JsonSubTypes.Type(value = Source.Synthetic.class, name = "synthetic")
})
public sealed interface Source {

    /** Its name in a descriptor's {@code kind}. */
    String kind();

    /**
     * Class folders of JPEG or PNG files: decoded, random resized crop, flip, normalised.
     *
     * @param path the folder that holds the class folders
     * @param imageSize edge of the square crop in pixels, 1 to 8192; 224 where none is given
     */
    record ImageFolder(String path, @Nullable Integer imageSize) implements Source {
        public static final int DEFAULT_IMAGE_SIZE = 224;

        public ImageFolder {
            requireText("path", path);
            imageSize = imageSize == null ? Integer.valueOf(DEFAULT_IMAGE_SIZE) : imageSize;
            InvalidFieldException.requireRange("image_size", imageSize, 1, 8192);
        }

        @Override
        public String kind() {
            return "image_folder";
        }
    }

    /**
     * A NumPy file, memory-mapped; one sample is one entry of its first axis.
     *
     * @param path the {@code .npy} file
     */
    record Array(String path) implements Source {
        public Array {
            requireText("path", path);
        }

        @Override
        public String kind() {
            return "array";
        }
    }

    /**
     * Tar files in WebDataset's layout: the files of one sample share their name up to the first dot.
     *
     * @param path a folder of {@code .tar} files or one of them
     * @param imageSize as for {@link ImageFolder}, for shards that hold images
     */
    record TarShards(String path, @Nullable Integer imageSize) implements Source {
        public TarShards {
            requireText("path", path);
            imageSize = imageSize == null ? Integer.valueOf(ImageFolder.DEFAULT_IMAGE_SIZE) : imageSize;
            InvalidFieldException.requireRange("image_size", imageSize, 1, 8192);
        }

        @Override
        public String kind() {
            return "tar_shards";
        }
    }

    /**
     * The user's own factory: returns a {@code Dataset}, an {@code IterableDataset}, a {@code DataLoader}, or a function from
     * loader config to an iterable of batches.
     *
     * @param factory {@code package.module:function}
     * @param arguments the factory's keyword arguments
     * @param pythonPath folders that are put before Python's own module path
     * @param environment name of an interpreter that the operator configured; {@code default} where none is given
     */
    record Python(
            String factory,
            @Nullable Map<String, Object> arguments,
            @Nullable List<String> pythonPath,
            @Nullable String environment)
            implements Source {
        public static final String DEFAULT_ENVIRONMENT = "default";

        public Python {
            FactoryName.require("factory", factory);
            arguments = arguments == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
            pythonPath = pythonPath == null ? List.of() : List.copyOf(pythonPath);
            environment = environment == null ? DEFAULT_ENVIRONMENT : environment;
        }

        @Override
        public String kind() {
            return "python";
        }
    }

    /**
     * Samples made up as they are asked for, at a known cost: for demonstrations and tests.
     *
     * @param samples length of the dataset, at least 1
     * @param shape shape of a float32 sample; {@code [1]} where none is given
     * @param sampleMilliseconds waiting per sample, 0 to 60,000
     * @param cpuMilliseconds processor time burnt per sample, 0 to 60,000
     * @param bytesRead bytes read from a file per sample, 0 to 2<sup>30</sup>
     */
    record Synthetic(
            int samples,
            @Nullable List<Integer> shape,
            double sampleMilliseconds,
            double cpuMilliseconds,
            long bytesRead)
            implements Source {
        public Synthetic {
            InvalidFieldException.requireRange("samples", samples, 1, Integer.MAX_VALUE);
            shape = shape == null ? List.of(1) : List.copyOf(shape);
            long elements = 1;
            for (int length : shape) {
                InvalidFieldException.requireRange("shape", length, 1, 1 << 28);
                elements *= length;
                if (elements > 1 << 28) {
                    throw new InvalidFieldException("shape", "has more than " + (1 << 28) + " elements");
                }
            }
            requireMilliseconds("sample_milliseconds", sampleMilliseconds);
            requireMilliseconds("cpu_milliseconds", cpuMilliseconds);
            if (bytesRead < 0 || bytesRead > 1L << 30) {
                throw new InvalidFieldException("bytes_read", "must be from 0 to " + (1L << 30));
            }
        }

        @Override
        public String kind() {
            return "synthetic";
        }
    }

    private static void requireMilliseconds(String field, double value) {
        if (!(value >= 0 && value <= 60_000)) {
            throw new InvalidFieldException(field, "must be from 0 to 60000 milliseconds, but is " + value);
        }
    }

    private static void requireText(String field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new InvalidFieldException(field, "is missing");
        }
        if (value.indexOf('\0') >= 0) {
            throw new InvalidFieldException(field, "must not contain a NUL character");
        }
    }
}
