/** Where a text may be cut: its start and end, and what the rules of a language put between them. */
export interface TextBreaks {
  /** The last break below an offset; −1: there is none. */
  preceding(offset: number): number
  /** The first break above an offset; −1: there is none. */
  following(offset: number): number
}

/** Breaks of a text by the rules of ICU, which Node has. */
export class IcuBreaks implements TextBreaks {
  readonly #text: string
  readonly #segmenter: Intl.Segmenter
  /** Made when it is first asked for: it copies the text. */
  #segments: Intl.Segments | null = null

  constructor(text: string, segmenter: Intl.Segmenter) {
    this.#text = text
    this.#segmenter = segmenter
  }

  preceding(offset: number): number {
    if (offset <= 0) return -1
    const end = this.#text.length
    if (offset > end) return end
    return this.#at(offset - 1).index
  }

  following(offset: number): number {
    if (offset >= this.#text.length) return -1
    if (offset < 0) return 0
    const { index, segment } = this.#at(offset)
    return index + segment.length
  }

  /** The segment of a unit of the text. */
  #at(index: number): Intl.SegmentData {
    this.#segments ??= this.#segmenter.segment(this.#text)
    return this.#segments.containing(index)!
  }
}

const segmenters = new Map<string, Intl.Segmenter>()

/** Segmenters that are kept; requests name their locales. */
const MAX_SEGMENTERS = 64

/**
 * The segmenter of a language, made once.
 * @param locale null, or one that there is not: any language
 */
export function segmenterOf(
  locale: string | null,
  granularity: 'sentence' | 'word',
): Intl.Segmenter {
  const name = `${granularity} ${locale ?? ''}`
  let segmenter = segmenters.get(name)
  if (segmenter === undefined) {
    if (segmenters.size >= MAX_SEGMENTERS) segmenters.clear()
    segmenter = new Intl.Segmenter(knownLocale(locale), { granularity })
    segmenters.set(name, segmenter)
  }
  return segmenter
}

/** Rules that hold for no language in particular are those of English. */
const ANY_LANGUAGE = 'en'

function knownLocale(locale: string | null): string {
  if (locale === null || !/^[a-zA-Z]{2,3}([-_][a-zA-Z0-9]{1,8})*$/.test(locale)) return ANY_LANGUAGE
  const tag = locale.replaceAll('_', '-')
  try {
    return Intl.Segmenter.supportedLocalesOf(tag)[0] ?? ANY_LANGUAGE
  } catch (error) {
    // A tag of the right characters may still repeat a part.
    if (error instanceof RangeError) return ANY_LANGUAGE
    throw error
  }
}
