/**
 * Duplicate detection for the names of open objects. Objects with few names are compared pairwise,
 * others by a hash table; no name becomes a string.
 */

import { randomBytes } from 'node:crypto'
import { grown } from '../grown.ts'
import { fillEscapes, jsonText } from './json-text.ts'

/** From this many names on, an object's names are in the table. */
const NAMES_IN_A_ROW = 12

/** Random, so that input cannot provoke collisions. */
const HASH_SEED = randomBytes(4).readInt32LE(0)

/** A stack of objects and their names, which are ranges of the same bytes. */
export class JsonNames {
  #bytes: Uint8Array = new Uint8Array(0)
  /** Open objects: index of each one's first name on the name stack, and its serial number. */
  readonly #firstName: Int32Array
  readonly #objectId: Int32Array
  #open = 0
  #objectCount = 0
  // The stack of the names of all open objects.
  #nameStart = new Int32Array(64)
  #nameEnd = new Int32Array(64)
  #nameHash = new Int32Array(64)
  #nameEscaped = new Uint8Array(64)
  #nameCount = 0
  // Hash table of large objects' names: (object, index on the stack), open addressing; object 0 is
  // empty.
  #tableObject = new Int32Array(64)
  #tableName = new Int32Array(64)
  #tableUsed = 0

  /** @param depth max nesting of objects */
  constructor(depth: number) {
    this.#firstName = new Int32Array(depth + 1)
    this.#objectId = new Int32Array(depth + 1)
  }

  /** Resets to no open object, over other bytes. */
  reset(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#open = 0
    this.#nameCount = 0
    this.#objectCount = 0
    if (this.#tableUsed === 0) return
    // A table enlarged by one document is dropped, so that small ones need not clear it.
    if (this.#tableObject.length > 4096) {
      this.#tableObject = new Int32Array(64)
      this.#tableName = new Int32Array(64)
    } else this.#tableObject.fill(0)
    this.#tableUsed = 0
  }

  openObject(): void {
    const depth = ++this.#open
    this.#firstName[depth] = this.#nameCount
    this.#objectId[depth] = ++this.#objectCount
  }

  closeObject(): void {
    this.#nameCount = this.#firstName[this.#open]!
    this.#open--
  }

  /** Adds a name of the innermost object, `bytes[start, end)`; false for a duplicate. */
  add(start: number, end: number, hasEscapes: boolean): boolean {
    const hash = this.#hash(start, end, hasEscapes)
    const first = this.#firstName[this.#open]!
    const index = this.#nameCount
    const count = index - first
    if (index === this.#nameStart.length) this.#growNames()
    this.#nameStart[index] = start
    this.#nameEnd[index] = end
    this.#nameHash[index] = hash
    this.#nameEscaped[index] = hasEscapes ? 1 : 0
    this.#nameCount++
    if (count < NAMES_IN_A_ROW) {
      for (let i = first; i < index; i++)
        if (this.#nameHash[i] === hash && this.#isSameName(i, index)) return false
      return true
    }
    const objectId = this.#objectId[this.#open]!
    if (count === NAMES_IN_A_ROW) for (let i = first; i < index; i++) this.#addToTable(objectId, i)
    return this.#addToTable(objectId, index)
  }

  #hash(start: number, end: number, hasEscapes: boolean): number {
    let hash = HASH_SEED
    let bytes = this.#bytes
    let from = start
    let to = end
    if (hasEscapes) {
      const scratch = new Uint8Array(end - start)
      to = fillEscapes(bytes, start, end, scratch, 0)
      bytes = scratch
      from = 0
    }
    for (let i = from; i < to; i++) hash = mix(hash, bytes[i]!)
    return hash
  }

  #addToTable(objectId: number, index: number): boolean {
    if (this.#tableUsed * 2 >= this.#tableObject.length) this.#growTable()
    const mask = this.#tableObject.length - 1
    const hash = this.#nameHash[index]!
    let at = spread(hash, objectId) & mask
    while (this.#tableObject[at] !== 0) {
      if (this.#tableObject[at] === objectId) {
        const other = this.#tableName[at]!
        if (this.#nameHash[other] === hash && this.#isSameName(other, index)) return false
      }
      at = (at + 1) & mask
    }
    this.#tableObject[at] = objectId
    this.#tableName[at] = index
    this.#tableUsed++
    return true
  }

  #growTable(): void {
    const objects = this.#tableObject
    const names = this.#tableName
    this.#tableObject = new Int32Array(objects.length * 2)
    this.#tableName = new Int32Array(objects.length * 2)
    const mask = this.#tableObject.length - 1
    // Entries of closed objects are dropped: only open objects have hashes on the stack.
    const open = new Set(this.#objectId.subarray(0, this.#open + 1))
    let used = 0
    for (let i = 0; i < objects.length; i++) {
      const objectId = objects[i]!
      if (objectId === 0 || !open.has(objectId)) continue
      let at = spread(this.#nameHash[names[i]!]!, objectId) & mask
      while (this.#tableObject[at] !== 0) at = (at + 1) & mask
      this.#tableObject[at] = objectId
      this.#tableName[at] = names[i]!
      used++
    }
    this.#tableUsed = used
  }

  #growNames(): void {
    const size = this.#nameStart.length * 2
    this.#nameStart = grown(this.#nameStart, size)
    this.#nameEnd = grown(this.#nameEnd, size)
    this.#nameHash = grown(this.#nameHash, size)
    const escaped = new Uint8Array(size)
    escaped.set(this.#nameEscaped)
    this.#nameEscaped = escaped
  }

  #isSameName(a: number, b: number): boolean {
    const aStart = this.#nameStart[a]!
    const aEnd = this.#nameEnd[a]!
    const bStart = this.#nameStart[b]!
    const bEnd = this.#nameEnd[b]!
    if (this.#nameEscaped[a] === 1 || this.#nameEscaped[b] === 1)
      return (
        jsonText(this.#bytes, aStart, aEnd, this.#nameEscaped[a] === 1) ===
        jsonText(this.#bytes, bStart, bEnd, this.#nameEscaped[b] === 1)
      )
    if (aEnd - aStart !== bEnd - bStart) return false
    for (let i = 0; i < aEnd - aStart; i++) {
      if (this.#bytes[aStart + i] !== this.#bytes[bStart + i]) return false
    }
    return true
  }
}

function mix(hash: number, byte: number): number {
  const h = Math.imul(hash ^ byte, 0x9e3779b1)
  return h ^ (h >>> 15)
}

function spread(hash: number, objectId: number): number {
  const h = Math.imul(hash ^ Math.imul(objectId, 0x85ebca6b), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
