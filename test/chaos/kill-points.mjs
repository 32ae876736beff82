/**
 * Loaded into the server ahead of everything (`node --import`), in every thread of it: kills the
 * process at a named point of its file accesses. `LAMELLA_KILL_AT=⟨point⟩:⟨n⟩` means the n-th time
 * that a thread gets there; `LAMELLA_KILL_ORDER=⟨file⟩` names a file that may say so later on, from
 * when on a thread counts.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

const order = process.env['LAMELLA_KILL_ORDER']
let [point, left] = parse(process.env['LAMELLA_KILL_AT'] ?? '')

function parse(text) {
  const [name, times = '1'] = text.split(':')
  return [name, Number(times)]
}

/** Looks whether an order has come, until it has. */
function look() {
  if (order !== undefined && point === '') [point, left] = parse(fs.readFileSync(order, 'utf8'))
}

function at(name) {
  look()
  if (name !== point || --left > 0) return
  process.kill(process.pid, 'SIGKILL')
  // The signal takes the process before this thread's next call, or nearly so.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
}

/** What a file is, by its name; '' for what is none of the store's. */
function kindOf(path) {
  const name = basename(String(path))
  if (/^(pending_)?commit_\d+$/.test(name)) return 'commit'
  if (/^(pending_)?state_\d+$/.test(name)) return 'state'
  if (/^(pending_)?translog_checkpoint$/.test(name)) return 'checkpoint'
  if (/^translog_\d+$/.test(name)) return 'log'
  if (/^_[0-9a-z]+/.test(name)) return 'segment'
  if (/^index-\d+$/.test(name)) return 'root'
  if (/^snap-/.test(name)) return 'snap'
  if (/^blob-/.test(name)) return 'blob'
  if (/^tmp-/.test(name)) return 'unfinished'
  return ''
}

const kinds = new Map()
const { openSync, closeSync, writeSync, fdatasync, fdatasyncSync, fsyncSync, renameSync, rmSync } =
  fs

fs.openSync = (path, ...rest) => {
  const descriptor = openSync(path, ...rest)
  const isFolder = rest[0] === 'r' && fs.fstatSync(descriptor).isDirectory()
  kinds.set(descriptor, isFolder ? 'folder' : kindOf(path))
  return descriptor
}
fs.closeSync = descriptor => {
  kinds.delete(descriptor)
  closeSync(descriptor)
}
fs.writeSync = (descriptor, bytes, offset, length, place) => {
  const kind = kinds.get(descriptor) ?? ''
  look()
  if (`${kind}.midWrite` === point && left === 1)
    writeSync(descriptor, bytes, offset, Math.floor(length / 2), place)
  at(`${kind}.midWrite`)
  const written = writeSync(descriptor, bytes, offset, length, place)
  at(`${kind}.afterWrite`)
  return written
}
fs.fdatasync = (descriptor, done) => {
  const kind = kinds.get(descriptor) ?? ''
  fdatasync(descriptor, error => {
    at(`${kind}.afterSync`)
    done(error)
  })
}
fs.fdatasyncSync = descriptor => {
  fdatasyncSync(descriptor)
  at(`${kinds.get(descriptor) ?? ''}.afterSync`)
}
fs.fsyncSync = descriptor => {
  at('folder.beforeSync')
  fsyncSync(descriptor)
  at('folder.afterSync')
}
fs.renameSync = (from, to) => {
  at(`${kindOf(to)}.beforeRename`)
  renameSync(from, to)
  at(`${kindOf(to)}.afterRename`)
}
fs.rmSync = (path, options) => {
  at(`${kindOf(path)}.beforeDelete`)
  rmSync(path, options)
}
syncBuiltinESMExports()
