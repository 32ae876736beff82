/**
 * An open-loop generator of requests: sends one every so often whether or not the last were answered,
 * over as many connections as that takes. Plain sockets, so that it costs little beside the server.
 *
 * Task (JSON, first argument): `{ host, port, request, ratePerSecond, millis, connections }`; a rate of 0
 * is closed-loop: each connection sends again when it has its answer. Answers by one message:
 * `{ statuses: {status: count}, accepted: [milliseconds…], failed, unsent }`; a latency counts from when
 * a request was due. `failed` are connections that ended without an answer, `unsent` those requests for
 * which no connection was free.
 */
import { connect } from 'node:net'

const task = JSON.parse(process.argv[2])
const bytes = Buffer.from(task.request)
const statuses = {}
const accepted = []
let failed = 0
let unsent = 0
let open = 0
let isOver = false
const free = []

/** A connection, and the request that waits for its answer on it. */
function openConnection(then) {
  open++
  const socket = connect(task.port, task.host)
  const connection = { socket, dueAt: -1, text: '', length: -1 }
  socket.setNoDelay(true)
  socket.once('connect', () => then(connection))
  socket.on('error', () => {})
  socket.on('close', () => {
    open--
    const at = free.indexOf(connection)
    if (at >= 0) free.splice(at, 1)
    if (connection.dueAt >= 0 && !isOver) failed++
    if (task.ratePerSecond === 0 && !isOver) openConnection(next => send(next, performance.now()))
  })
  socket.on('data', chunk => receive(connection, chunk))
}

function send(connection, dueAt) {
  connection.dueAt = dueAt
  connection.text = ''
  connection.length = -1
  connection.socket.write(bytes)
}

function receive(connection, chunk) {
  connection.text += chunk.toString('latin1')
  const { text } = connection
  if (connection.length < 0) {
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = /content-length: (\d+)/i.exec(text.slice(0, end))
    connection.length = end + 4 + Number(length?.[1] ?? 0)
  }
  if (text.length < connection.length) return
  const status = text.slice(9, 12)
  statuses[status] = (statuses[status] ?? 0) + 1
  if (status === '200') accepted.push(performance.now() - connection.dueAt)
  connection.dueAt = -1
  if (isOver || /\r\nconnection: close/i.test(text)) connection.socket.end()
  else if (task.ratePerSecond === 0) send(connection, performance.now())
  else free.push(connection)
}

/** Sends all requests that are due. */
function sendDue(start, sent) {
  const elapsed = performance.now() - start
  if (elapsed >= task.millis) return finish()
  const due = Math.floor((elapsed * task.ratePerSecond) / 1000)
  for (let i = sent; i < due; i++) {
    const dueAt = start + (i * 1000) / task.ratePerSecond
    const connection = free.pop()
    if (connection !== undefined) send(connection, dueAt)
    else if (open < task.connections) openConnection(next => send(next, dueAt))
    else unsent++
  }
  setTimeout(() => sendDue(start, due), 1)
}

function finish() {
  isOver = true
  process.send({ statuses, accepted, failed, unsent }, () => process.exit(0))
}

if (task.ratePerSecond === 0) {
  for (let i = 0; i < task.connections; i++)
    openConnection(connection => send(connection, performance.now()))
  setTimeout(finish, task.millis)
} else {
  sendDue(performance.now(), 0)
}
