/**
 * Synthetic documents of any number, made as they are read: the same seed gives the same bytes, and
 * a longer run starts with the shorter one's documents.
 *
 * Words follow a Zipf–Mandelbrot law, p(rank) ∝ 1 / (rank + q)^s. A document has a topic: a share
 * of its words is drawn from a permuted vocabulary, so that words of the middle ranks cluster. A
 * share repeats a word that the document has already, which is the burstiness of real text.
 */
import { Random } from '../../src/util/random.ts'
import type { Corpus, CorpusDocument, CorpusOptions } from '../lib/corpus.ts'

const VOCABULARY_SIZE = 200_000
const EXPONENT = 1.05
const SHIFT = 2.7
const TOPIC_COUNT = 64
const TOPIC_SHARE = 0.25
const REPEAT_SHARE = 0.12
/** Ranks below this are function words: no topic moves them. */
const COMMON_RANKS = 120
const DEFAULT_SIZE = 1_000_000

const SYLLABLES: readonly string[] = [...'bdfghjklmnprstvwxyzc'].flatMap(consonant =>
  [...'aeiou'].map(vowel => consonant + vowel),
)

/** The corpus `zipf`. */
export const zipf: Corpus = {
  name: 'zipf',
  textField: 'body',

  *generate({ size, seed, note }: CorpusOptions): Iterable<CorpusDocument> {
    note('vocabularySize', VOCABULARY_SIZE)
    const random = new Random(seed)
    const ranks = new RankSampler(VOCABULARY_SIZE)
    const words = Array.from({ length: VOCABULARY_SIZE }, (_, rank) => wordOfRank(rank))
    const end = size ?? DEFAULT_SIZE
    for (let i = 0; i < end; i++) yield makeDocument(i, random, ranks, words)
  },
}

/** A word of consonants and vowels, its own for each rank; lower ranks have shorter words. */
export function wordOfRank(rank: number): string {
  let word = ''
  // Bijective numeration: no word is another's padding, so all are different.
  for (let rest = rank + 1; rest > 0; rest = Math.floor((rest - 1) / SYLLABLES.length)) {
    word = SYLLABLES[(rest - 1) % SYLLABLES.length]! + word
  }
  return word
}

function makeDocument(
  at: number,
  random: Random,
  ranks: RankSampler,
  words: readonly string[],
): CorpusDocument {
  const topic = random.below(TOPIC_COUNT)
  const title = drawWords(2 + random.below(6), topic, random, ranks, words)
  const body = drawWords(drawLength(random), topic, random, ranks, words)
  const day = new Date(Date.UTC(2000, 0, 1) + random.below(9131) * 86_400_000)
  return {
    id: `z${at}`,
    topic: `topic-${topic}`,
    date: day.toISOString().slice(0, 10),
    views: Math.floor(1 / (1 - random.next()) ** 1.2),
    title,
    body,
  }
}

/** 8 to some 300 words, 57 in the mean, most of them short: a square spreads the upper end. */
function drawLength(random: Random): number {
  const spread = (random.next() + random.next() + random.next()) / 3
  return 8 + Math.floor(178 * spread * spread)
}

function drawWords(
  count: number,
  topic: number,
  random: Random,
  ranks: RankSampler,
  words: readonly string[],
): string {
  const drawn: string[] = []
  const contentWords: string[] = []
  for (let i = 0; i < count; i++) {
    const kind = random.next()
    if (kind < REPEAT_SHARE && contentWords.length > 0) {
      drawn.push(contentWords[random.below(contentWords.length)]!)
      continue
    }
    let rank = ranks.draw(random)
    if (rank >= COMMON_RANKS && kind < REPEAT_SHARE + TOPIC_SHARE) rank = moveRank(rank, topic)
    const word = words[rank]!
    drawn.push(word)
    if (rank >= COMMON_RANKS) contentWords.push(word)
  }
  return drawn.join(' ')
}

/** A topic's own order of the words that are not common: a shuffle by multiplication. */
function moveRank(rank: number, topic: number): number {
  const span = VOCABULARY_SIZE - COMMON_RANKS
  // 7919 is prime and shares no factor with the span, so each topic's map is a permutation.
  const moved = ((rank - COMMON_RANKS) * 7919 + topic * 104_729) % span
  // Squeezed towards the front: a topic's words are the language's middle ranks, not its tail.
  return COMMON_RANKS + Math.floor((moved * moved) / span)
}

/** Draws ranks by Walker's alias method: one random number each, however large the vocabulary. */
class RankSampler {
  readonly #threshold: Float64Array
  readonly #alias: Int32Array

  constructor(size: number) {
    const weights = new Float64Array(size)
    let total = 0
    for (let rank = 0; rank < size; rank++) {
      weights[rank] = 1 / (rank + 1 + SHIFT) ** EXPONENT
      total += weights[rank]!
    }
    this.#threshold = new Float64Array(size)
    this.#alias = new Int32Array(size)
    const small: number[] = []
    const large: number[] = []
    for (let rank = 0; rank < size; rank++) {
      weights[rank] = (weights[rank]! * size) / total
      if (weights[rank]! < 1) small.push(rank)
      else large.push(rank)
    }
    while (small.length > 0 && large.length > 0) {
      const less = small.pop()!
      const more = large.at(-1)!
      this.#threshold[less] = weights[less]!
      this.#alias[less] = more
      weights[more] = weights[more]! - (1 - weights[less]!)
      if (weights[more]! < 1) small.push(large.pop()!)
    }
    for (const rank of [...small, ...large]) this.#threshold[rank] = 1
  }

  draw(random: Random): number {
    const at = random.below(this.#threshold.length)
    return random.next() < this.#threshold[at]! ? at : this.#alias[at]!
  }
}
