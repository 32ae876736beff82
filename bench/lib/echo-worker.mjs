// A search thread that gives back what it gets: the price of handing a request over.
import { startLoop } from '../../dist/pool/worker-loop.js'

export default function echoWorker(start) {
  return startLoop(start, {
    addArena() {},
    handle: request => request,
    handleRecord: (request, answer) => answer.bytes(request.bytes()),
  })
}
