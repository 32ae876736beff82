import { deserialize, serialize } from 'node:v8'
import { receiveMessageOnPort, threadId } from 'node:worker_threads'
import { toErrorRecord } from '../util/errors.ts'
import { WordReader, WordWriter } from '../util/word-record.ts'
import { CommandSlot } from './command-slot.ts'
import type { LoopNotice, LoopStart } from './messages.ts'
import { ThreadBoard } from './thread-board.ts'
import { threadCpuInNanos } from './thread-cpu.ts'

/** How long a worker spins for its next request before it sleeps: waking it costs as much. */
const LOOKS_FOR_IN_NANOS = 50_000

/** The request handler of a looping worker. */
export interface LoopHandler {
  /** Called when an arena was made, before any request that names it. */
  addArena(index: number, memory: WebAssembly.Memory): void
  /** Loads what requests behind a notice need; absent for workers that are sent none. */
  prepare?(): Promise<void>
  /** Answers one request; plain data in and out. An error becomes an error record. */
  handle(request: unknown): unknown
  /** Answers a word record with another one; absent for workers without word records. */
  handleRecord?(request: WordReader, answer: WordWriter, board: ThreadBoard): void
}

/**
 * Starts the loop of a search worker once its task has been answered, since a task that never ends
 * would keep the process alive. From then on the thread waits on its command slot and answers,
 * until the coordinator tells it to end.
 * @returns the thread's id, by which the coordinator notices its death
 */
export function startLoop(start: LoopStart, handler: LoopHandler): number {
  // Two turns: the answer to the task is posted in the first.
  setImmediate(() => setImmediate(() => void runLoop(start, handler)))
  return threadId
}

/** Turns of the event loop pass while modules are loaded, and at no other time. */
async function runLoop(start: LoopStart, handler: LoopHandler): Promise<void> {
  const slot = new CommandSlot(start.slot)
  const board = new ThreadBoard(start.board)
  const writer = new WordWriter()
  let seen = 0
  let heard = 0
  for (;;) {
    if (!board.hasCoreToSpare() || !slot.comesWithin(LOOKS_FOR_IN_NANOS, seen))
      board.setAwake(start.worker, false)
    seen = slot.awaitRequest(seen)
    board.setAwake(start.worker, true)
    if (seen < 0) break
    const started = threadCpuInNanos()
    let large: Uint8Array | null = null
    for (; heard < slot.posted; heard++) {
      const notice = receiveMessageOnPort(start.port)!.message as LoopNotice
      if (notice.kind === 'arena') handler.addArena(notice.index, notice.memory)
      else if (notice.kind === 'prepare') await handler.prepare!()
      else large = notice.bytes
    }
    try {
      if (slot.isRecord) {
        const record = slot.takeRecord() ?? new Float64Array(large!.buffer)
        writer.reset()
        // An empty one asks for nothing but what was posted before it.
        if (record.length > 0) handler.handleRecord!(new WordReader(record), writer, board)
        const { written } = writer
        if (!slot.putAnswerRecord(written))
          start.port.postMessage(new Uint8Array(written.slice().buffer))
      } else {
        const answer = serialize(handler.handle(deserialize(slot.takeRequest() ?? large!)))
        if (!slot.putAnswer(answer, false)) start.port.postMessage(answer)
      }
    } catch (error) {
      const answer = serialize(toErrorRecord(error))
      if (!slot.putAnswer(answer, true)) start.port.postMessage(answer)
    }
    slot.finish(seen, threadCpuInNanos() - started)
  }
  board.setAwake(start.worker, false)
  start.port.close()
}
