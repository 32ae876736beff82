// A search thread that gives back what it gets: the price of handing a request over.
import { runLoop } from '../../dist/pool/worker-loop.js'

export default function echoWorker(start) {
  runLoop(start, { addArena() {}, handle: request => request })
}
