package io.loadertuner.core.space;

/** A value that a caller gave and that cannot be accepted: names the field, what is wrong with it and what would do. */
public final class InvalidFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String problem;

    /**
     * @param field the field's name as the caller wrote it, nested names joined by dots ({@code baseline.num_workers})
     * @param problem what is wrong and what to do, without the field's name
     */
    public InvalidFieldException(String field, String problem) {
        super(field + ": " + problem);
        this.field = field;
        this.problem = problem;
    }

    public String field() {
        return field;
    }

    /** What is wrong, without the field's name. */
    public String problem() {
        return problem;
    }

    /** The same problem, one level further out: {@code num_workers} inside {@code baseline}. */
    public InvalidFieldException inside(String parent) {
        return new InvalidFieldException(parent + "." + field, problem);
    }

    /** Refuses {@code value} unless {@code min <= value <= max}. */
    public static int requireRange(String field, int value, int min, int max) {
        if (value < min || value > max) {
            throw new InvalidFieldException(field, "must be from " + min + " to " + max + ", but is " + value);
        }
        return value;
    }
}
