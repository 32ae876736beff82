import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { whenOver } from './when-over.ts'

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

/**
 * Starts `lamella` as a process of its own, which ends with its test if not before.
 * @param input what it reads from stdin
 * @param keepsOpen leaves stdin open behind that, as a pipe that may still say more
 * @param env variables beside those of this process
 */
export function startCli(
  args: readonly string[],
  input: string | null = null,
  keepsOpen = false,
  env: Readonly<Record<string, string>> = {},
): CliProcess {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
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
  // A process that ends before it has read all closes the pipe: its exit code tells.
  child.stdin.on('error', () => {})
  child.stdin.write(input ?? '')
  if (!keepsOpen) child.stdin.end()
  const ended = new Promise<CliResult>((done, fail) => {
    child.on('error', fail)
    child.on('close', code => done({ code, stdout, stderr }))
  })
  whenOver(() => {
    child.kill('SIGKILL')
    return ended.catch(() => null)
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
