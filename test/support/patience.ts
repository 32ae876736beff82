/**
 * How long a test waits for what must happen, milliseconds: a machine may be busy with other work for
 * minutes, so that time decides only between late and never.
 */
export const PATIENCE_IN_MILLIS = 600_000
