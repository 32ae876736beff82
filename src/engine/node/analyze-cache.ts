/** Recent answers of `_analyze`, of the node and of each index: for GET, which asks again. */
import type { JsonValue } from '../../util/json/json-value.ts'
import type { AnalyzeCall } from '../api/analysis.ts'

/** Answers kept for one index. */
const MOST_ANSWERS = 64
/** Longer texts are analysed each time: what is kept stays small. */
const MOST_TEXT = 4096

/**
 * The answers of GET requests, the least recently asked for dropped first. They hang on what they
 * were made with, so that a changed mapping or setting forgets them.
 */
export class AnalyzeCache {
  readonly #answers = new WeakMap<object, Map<string, JsonValue>>()
  /** Requests that were answered from here. */
  hits = 0

  /** Drops the answers that were made with something. */
  forget(owner: object): void {
    this.#answers.delete(owner)
  }

  /**
   * The answer to a request, made where it is not known.
   * @param owner what the analysis comes from: the index's metadata, or the node
   */
  answer(owner: object, call: AnalyzeCall, make: () => JsonValue): JsonValue {
    let length = 0
    for (const text of call.text) length += text.length
    if (!call.isCached || length > MOST_TEXT) return make()
    let answers = this.#answers.get(owner)
    if (answers === undefined) {
      answers = new Map()
      this.#answers.set(owner, answers)
    }
    const key = JSON.stringify(call)
    const known = answers.get(key)
    if (known !== undefined) {
      this.hits++
      answers.delete(key)
      answers.set(key, known)
      return known
    }
    const made = make()
    if (answers.size >= MOST_ANSWERS) answers.delete(answers.keys().next().value!)
    answers.set(key, made)
    return made
  }
}
