/** Errors as a line tells them. */

/**
 * A reason with those of its causes, the outermost first, as far as it does not say them itself.
 * @param causes below it
 */
export function withCauses(reason: string, causes: readonly string[]): string {
  return causes.reduce(
    (text, cause) =>
      text.includes(cause) ? text : `${text}${/[.?]$/.test(text) ? '' : ':'} ${cause}`,
    reason,
  )
}

interface WireError {
  readonly reason?: string | null
  readonly caused_by?: WireError
}

/**
 * The `error` of an answer of the API as one text.
 * @returns null where it has no reason
 */
export function textOfError(error: WireError | string | undefined): string | null {
  if (error === undefined || typeof error === 'string') return error ?? null
  const causes: string[] = []
  for (let at = error.caused_by; at !== undefined; at = at.caused_by)
    if (typeof at.reason === 'string') causes.push(at.reason)
  return typeof error.reason === 'string' ? withCauses(error.reason, causes) : null
}
