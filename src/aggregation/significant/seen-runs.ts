import { encodeUtf8 } from '../../util/bytes.ts'
import { murmur128First } from '../../util/murmur128.ts'
import { Word64 } from '../../util/word64.ts'

/** Tokens of the shortest run that counts as repeated. */
const RUN = 6
/** Of a run's key without its first token. */
const REST = 2 ** 40

const word = new Word64()

/**
 * Runs of tokens that texts had before. A token is known by a byte of its hash and a run by six of them, as
 * in the reference server.
 */
export class SeenRuns {
  readonly #runs = new Set<number>()

  /** How many runs are known. */
  get size(): number {
    return this.#runs.size
  }

  /** The tokens of a text that lie in no run of an earlier text, or of this one further ahead. */
  fresh(tokens: readonly string[]): readonly string[] {
    const isRepeated = new Uint8Array(tokens.length)
    let run = 0
    tokens.forEach((token, i) => {
      run = (run % REST) * 256 + byteOf(token)
      if (i < RUN - 1) return
      if (this.#runs.has(run)) isRepeated.fill(1, i - RUN + 1, i + 1)
      else this.#runs.add(run)
    })
    return tokens.filter((_, i) => isRepeated[i] === 0)
  }
}

function byteOf(token: string): number {
  murmur128First(encodeUtf8(token), word)
  return word.low & 0xff
}
