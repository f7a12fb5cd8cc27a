package io.loadertuner.core.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes numbers that are none, NaN and the infinities, as null: JSON knows no such number, and a text is not one. */
final class FiniteNumbers extends SimpleModule {
    private static final long serialVersionUID = 1L;

    FiniteNumbers() {
        super("finite-numbers");
        addSerializer(Double.class, new FiniteDouble(Double.class));
        addSerializer(Double.TYPE, new FiniteDouble(Double.TYPE));
    }

    private static final class FiniteDouble extends StdSerializer<Double> {
        FiniteDouble(Class<Double> type) {
            super(type);
        }

        @Override
        public void serialize(Double value, JsonGenerator json, SerializationContext context) {
            if (Double.isFinite(value)) {
                json.writeNumber(value.doubleValue());
            } else {
                json.writeNull();
            }
        }
    }
}
