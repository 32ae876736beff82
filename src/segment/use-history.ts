/** Number of recent uses that count. */
const LENGTH = 256

/** Counts a key's occurrences among the most recent uses. Keys are compared by hash alone. */
export class UseHistory {
  readonly #last = new Int32Array(LENGTH)
  readonly #counts = new Map<number, number>()
  #uses = 0

  note(key: string): void {
    const hash = hashOf(key)
    const at = this.#uses++ % LENGTH
    if (this.#uses > LENGTH) this.#forget(this.#last[at]!)
    this.#last[at] = hash
    this.#counts.set(hash, (this.#counts.get(hash) ?? 0) + 1)
  }

  count(key: string): number {
    return this.#counts.get(hashOf(key)) ?? 0
  }

  #forget(hash: number): void {
    const left = this.#counts.get(hash)! - 1
    if (left === 0) this.#counts.delete(hash)
    else this.#counts.set(hash, left)
  }
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}
