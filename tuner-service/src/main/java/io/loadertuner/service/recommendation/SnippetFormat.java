package io.loadertuner.service.recommendation;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.service.recommendation.RecommendationAnswer.Status;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Ways to write a recommended config down so that it can be pasted as it stands. */
enum SnippetFormat {
    /** Python; needs a {@code dataset}. */
    PYTORCH {
        @Override
        String body(LoaderConfig config) {
            return """
                    from torch.utils.data import DataLoader

                    loader = DataLoader(
                        dataset,
                    %s    # and shuffle or sampler, as in your own
                    )
                    %s""".formatted(python(loaderArguments(config), 4), copying(config));
        }
    },
    /** Python: a data module that is made of a dataset. */
    LIGHTNING {
        @Override
        String body(LoaderConfig config) {
            return """
                    from lightning import LightningDataModule
                    from torch.utils.data import DataLoader


                    class TunedData(LightningDataModule):
                        def __init__(self, dataset):
                            super().__init__()
                            self.dataset = dataset

                        def train_dataloader(self):
                            return DataLoader(
                                self.dataset,
                    %s            # and shuffle or sampler, as in your own
                            )
                    """.formatted(python(loaderArguments(config), 12));
        }
    },
    /** Python: the arguments of a {@code Trainer}. */
    TRANSFORMERS {
        @Override
        String body(LoaderConfig config) {
            Map<String, Object> arguments = new LinkedHashMap<>();
            loaderArguments(config).forEach((name, value) -> {
                if (name.equals("batch_size")) {
                    arguments.put("per_device_train_batch_size", value);
                } else if (!name.equals(START_METHOD)) {
                    arguments.put("dataloader_" + name, value);
                }
            });
            String startMethod =
                    config.multiprocessingContext() == null ? "" : """
                    # The trainer cannot be told how to start workers; before it is made, call
                    # torch.multiprocessing.set_start_method("%s")
                    """.formatted(config.multiprocessingContext());
            return """
                    %sfrom transformers import TrainingArguments

                    arguments = TrainingArguments(
                        output_dir="out",
                    %s)
                    """.formatted(startMethod, python(arguments, 4));
        }
    },
    /** Python; needs a {@code dataset}. */
    ACCELERATE {
        @Override
        String body(LoaderConfig config) {
            return """
                    from accelerate import Accelerator
                    from accelerate.utils import DataLoaderConfiguration
                    from torch.utils.data import DataLoader

                    accelerator = Accelerator(dataloader_config=DataLoaderConfiguration(non_blocking=%s))
                    loader = accelerator.prepare(
                        DataLoader(
                            dataset,
                    %s        # and shuffle or sampler, as in your own
                        )
                    )
                    """.formatted(python(config.nonBlocking()), python(loaderArguments(config), 8));
        }
    },
    /** Lines for a shell or a file of environment variables. */
    ENV {
        @Override
        String body(LoaderConfig config) {
            return settings(config).entrySet().stream()
                    .map(setting ->
                            "DATALOADER_" + setting.getKey().toUpperCase(Locale.ROOT) + "=" + setting.getValue() + "\n")
                    .collect(Collectors.joining());
        }
    },
    /** One mapping. */
    YAML {
        @Override
        String body(LoaderConfig config) {
            return settings(config).entrySet().stream()
                    .map(setting -> setting.getKey() + ": " + setting.getValue() + "\n")
                    .collect(Collectors.joining());
        }
    };

    private static final String START_METHOD = "multiprocessing_context";

    /** The config with where it comes from in a comment before it. */
    String of(String dataset, RecommendationAnswer answer) {
        return "# " + origin(dataset, answer) + "\n" + body(answer.config());
    }

    abstract String body(LoaderConfig config);

    private static String origin(String dataset, RecommendationAnswer answer) {
        Throughput throughput = answer.throughput();
        if (answer.status() != Status.EXACT || throughput == null) {
            return dataset + ": " + answer.reason();
        }
        Double low = throughput.low();
        Double high = throughput.high();
        String interval =
                low == null || high == null ? "" : String.format(Locale.ROOT, " (95 %%: %.1f to %.1f)", low, high);
        return String.format(
                Locale.ROOT,
                "%s on %s: %.1f samples/s%s, measured %s",
                dataset,
                answer.machineType(),
                throughput.samplesPerSecond(),
                interval,
                answer.measuredAt());
    }

    private static Map<String, Object> loaderArguments(LoaderConfig config) {
        Map<String, Object> arguments = settings(config);
        arguments.remove("non_blocking");
        return arguments;
    }

    /** Those that mean something under this config, in the order in which people read them. */
    private static Map<String, Object> settings(LoaderConfig config) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("batch_size", config.batchSize());
        settings.put("num_workers", config.numWorkers());
        Integer prefetch = config.prefetchFactor();
        if (prefetch != null) {
            settings.put("prefetch_factor", prefetch);
            settings.put("persistent_workers", config.persistentWorkers());
        }
        settings.put("pin_memory", config.pinMemory());
        settings.put("non_blocking", config.nonBlocking());
        String startMethod = config.multiprocessingContext();
        if (startMethod != null) {
            settings.put(START_METHOD, startMethod);
        }
        return settings;
    }

    private static String copying(LoaderConfig config) {
        return config.nonBlocking() ? "# and for each batch: batch.to(device, non_blocking=True)\n" : "";
    }

    private static String python(Map<String, Object> arguments, int indent) {
        return arguments.entrySet().stream()
                .map(argument -> " ".repeat(indent) + argument.getKey() + "=" + python(argument.getValue()) + ",\n")
                .collect(Collectors.joining());
    }

    private static String python(Object value) {
        if (value instanceof Boolean truth) {
            return truth ? "True" : "False";
        }
        return value instanceof String text ? '"' + text + '"' : String.valueOf(value);
    }
}
