import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')

/** How a run of the command line ended. */
export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A run of the built command line that may still go on. */
export interface CliProcess {
  readonly child: ChildProcess
  /** Resolves with stdout once it matches; rejects when the process ends first. */
  saysOnStdout(pattern: RegExp): Promise<string>
  readonly ended: Promise<CliResult>
}

/** Starts `lamella` as a process of its own. */
export function startCli(args: readonly string[], input: string | null = null): CliProcess {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  const watchers = new Set<() => void>()
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    for (const watch of watchers) watch()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  child.stdin.end(input ?? '')
  const ended = new Promise<CliResult>((done, fail) => {
    child.on('error', fail)
    child.on('close', code => done({ code, stdout, stderr }))
  })
  return {
    child,
    ended,
    saysOnStdout: pattern =>
      new Promise((done, fail) => {
        const watch = (): void => {
          if (!pattern.test(stdout)) return
          watchers.delete(watch)
          done(stdout)
        }
        watchers.add(watch)
        watch()
        void ended.then(({ code }) =>
          fail(new Error(`ended with ${code} before ${pattern}: ${stdout}${stderr}`)),
        )
      }),
  }
}

/** Runs `lamella` to its end. */
export function runCli(args: readonly string[], input: string | null = null): Promise<CliResult> {
  return startCli(args, input).ended
}
