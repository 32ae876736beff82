import { deserialize, serialize } from 'node:v8'
import { type MessagePort, receiveMessageOnPort, threadId } from 'node:worker_threads'
import { toErrorRecord } from '../util/errors.ts'
import { CommandSlot } from './command-slot.ts'
import type { LoopNotice, LoopStart } from './messages.ts'

/** What a looping worker does. */
export interface LoopHandler {
  /** An arena was made; called before any request that can name it. */
  addArena(index: number, memory: WebAssembly.Memory): void
  /** Answers one request; plain data in and out. An error becomes an error record. */
  handle(request: unknown): unknown
}

/**
 * Starts the loop of a search worker once its task has been answered: a task that never ended would
 * keep the process alive. From then on the thread waits on its command slot, answers, waits again,
 * until the coordinator asks it to end.
 * @returns the thread's id, by which the coordinator notices its death
 */
export function startLoop(start: LoopStart, handler: LoopHandler): number {
  // Two turns: the answer to the task is posted in the first.
  setImmediate(() => setImmediate(() => runLoop(start, handler)))
  return threadId
}

function runLoop(start: LoopStart, handler: LoopHandler): void {
  const slot = new CommandSlot(start.slot)
  let seen = 0
  for (;;) {
    seen = slot.awaitRequest(seen)
    if (seen < 0) break
    let large: Uint8Array | null = null
    for (let notice = receive(start.port); notice !== null; notice = receive(start.port)) {
      if (notice.kind === 'arena') handler.addArena(notice.index, notice.memory)
      else large = notice.bytes
    }
    const request = slot.takeRequest() ?? large!
    let answer: Uint8Array
    let failed = false
    try {
      answer = serialize(handler.handle(deserialize(request)))
    } catch (error) {
      failed = true
      answer = serialize(toErrorRecord(error))
    }
    if (!slot.putAnswer(answer, failed)) start.port.postMessage(answer)
    slot.finish(seen)
  }
  start.port.close()
}

function receive(port: MessagePort): LoopNotice | null {
  const received = receiveMessageOnPort(port)
  return received === undefined ? null : (received.message as LoopNotice)
}
