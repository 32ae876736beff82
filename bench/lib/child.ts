import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a child says on its way: a line for whoever waits, or its answer. */
type ChildMessage<T> = { readonly say: string } | { readonly answer: T }

/**
 * Runs a bench's step in a process of its own, so that its memory is its own too.
 * @param script beside this file; calls `answerWith`
 * @returns what it answered
 */
export function runChild<T>(
  script: string,
  task: unknown,
  say: (line: string) => void,
): Promise<T> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [JSON.stringify(task)])
  return new Promise((resolve, reject) => {
    let answer: { readonly value: T } | null = null
    child.on('message', (message: ChildMessage<T>) => {
      if ('say' in message) say(message.say)
      else answer = { value: message.answer }
    })
    child.on('error', reject)
    child.on('exit', code => {
      if (answer !== null && code === 0) resolve(answer.value)
      else reject(new Error(`${script} ended with code ${code}`))
    })
  })
}

/** A child's side of `runChild`: runs the step with its task and sends what it returns. */
export async function answerWith<Task, Answer>(
  step: (task: Task, say: (line: string) => void) => Promise<Answer>,
): Promise<void> {
  const task = JSON.parse(process.argv[2] ?? 'null') as Task
  const answer = await step(task, line => process.send?.({ say: line }))
  process.send?.({ answer })
  process.disconnect()
}
