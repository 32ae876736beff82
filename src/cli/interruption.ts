/** SIGINT and SIGTERM as something to wait for. */
export interface Interruption {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** Resolves at the first signal. */
  readonly happened: Promise<void>
  /** Lets signals end the process again. */
  release(): void
}

/** Takes over both signals; a second one ends the process at once, as if it had not been caught. */
export function catchInterruption(): Interruption {
  const controller = new AbortController()
  const happened = new Promise<void>(resolve => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const release = (): void => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
  const onSignal = (): void => {
    release()
    controller.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return { signal: controller.signal, happened, release }
}
