import type { LoopStart } from '../pool/messages.ts'
import { startLoop } from '../pool/worker-loop.ts'
import { arenaOf } from '../store/arena.ts'
import { SliceRunner, type ThreadRequest } from './slice-request.ts'

/** Entry of a search thread: runs slices until it is asked to stop. Returns the thread's id. */
export default function searchWorker(start: LoopStart): number {
  const runner = new SliceRunner(start.control, start.worker)
  return startLoop(start, {
    addArena: (index, memory) => runner.addArena(arenaOf(index, memory)),
    handle(given) {
      const request = given as ThreadRequest
      return request === 'ping' ? null : runner.run(request)
    },
  })
}
