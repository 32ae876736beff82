/** How every verb ends: fine, a failure or damage, a command line that makes no sense. */
export const EXIT = { fine: 0, failure: 1, usage: 2 } as const

/** An exit code of the command line. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A command line that makes no sense; its message says what would. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** Work that cannot be done as asked; its message says what to do about it. */
export class CliError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
  }
}
