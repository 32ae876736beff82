import { controlWords } from '../pool/control-buffer.ts'
import type { LoopStart } from '../pool/messages.ts'
import { NEW_ONES_WAIT, NOBODY_WAITS, type ThreadBoard } from '../pool/thread-board.ts'
import { startLoop } from '../pool/worker-loop.ts'
import { calibrate } from '../profile/timer.ts'
import { SearchControl } from '../search/collector/search-control.ts'
import { loadScriptEngine } from '../search/script/script-engine.ts'
import { arenaOf } from '../store/arena.ts'
import { nowInNanos } from '../util/clock.ts'
import type { WordReader, WordWriter } from '../util/word-record.ts'
import { KeptLeaves } from './kept-leaves.ts'
import { writeOutcomes } from './records/outcome-record.ts'
import { IS_PING, readSearch } from './records/search-record.ts'
import { runTaken } from './run-taken.ts'
import { type SliceRequest, SliceRunner } from './slice-request.ts'
import { TakenParts, WorkList } from './work-list.ts'

/** Entry of a search thread: answers requests until it is told to stop. Returns the thread's id. */
export default function searchWorker(start: LoopStart): number {
  // Before the first profiled slice, which would count it as queue time.
  calibrate()
  const runner = new SliceRunner(start.control, start.worker)
  const leaves = new KeptLeaves(runner)

  /** Takes parts of a shared search until none is left or its time slice ends. */
  function search(from: WordReader, to: WordWriter, board: ThreadBoard): void {
    const queued = from.number()
    if (queued === IS_PING) return
    const hasRun = from.flag()
    leaves.read(from)
    const task = readSearch(from)
    const words = controlWords(start.control, task.control)
    const work = new WorkList(words, task.parts)
    const turnEnd = nowInNanos() + task.turnInNanos
    const taken = new TakenParts(work, () => {
      const waiting = board.waiting()
      if (waiting === NOBODY_WAITS) return false
      // A search past its first time slice yields after each part while new requests wait.
      return (hasRun && waiting === NEW_ONES_WAIT) || nowInNanos() >= turnEnd
    })
    const leafOf = (ord: number) => leaves.leaf(ord)
    const control = new SearchControl(words)
    writeOutcomes(to, runTaken(task, taken, leafOf, control, start.worker, queued))
  }

  return startLoop(start, {
    prepare: loadScriptEngine,
    addArena: (index, memory) => runner.addArena(arenaOf(index, memory)),
    handle(given) {
      try {
        return runner.run(given as SliceRequest)
      } catch (error) {
        leaves.reopen()
        throw error
      }
    },
    handleRecord(from, to, board) {
      try {
        search(from, to, board)
      } catch (error) {
        runner.reset()
        leaves.reopen()
        throw error
      }
    },
  })
}
