/** The end of a verb that would go on: SIGINT, SIGTERM, or a defect that nobody caught. */
export interface Interruption {
  /** Aborts at the first signal or defect. */
  readonly signal: AbortSignal
  /** Resolves then; with the error when it was a defect. */
  readonly happened: Promise<{ readonly defect: unknown } | null>
  /** Lets signals and defects end the process again. */
  release(): void
}

/** Takes over both signals; a second one ends the process at once, as if it had not been caught. */
export function catchInterruption(): Interruption {
  const controller = new AbortController()
  let happen: (cause: { readonly defect: unknown } | null) => void = () => {}
  const happened = new Promise<{ readonly defect: unknown } | null>(resolve => {
    happen = resolve
  })
  const release = (): void => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    process.off('uncaughtException', onDefect)
  }
  const stop = (cause: { readonly defect: unknown } | null): void => {
    release()
    happen(cause)
    controller.abort()
  }
  const onSignal = (): void => stop(null)
  // Rejections that nobody handles come here too.
  const onDefect = (defect: unknown): void => stop({ defect })
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('uncaughtException', onDefect)
  return { signal: controller.signal, happened, release }
}
