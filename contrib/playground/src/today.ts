// The day, which the engine has no clock for.

/** The day in UTC, such as 2026-11-25. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
