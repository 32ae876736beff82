/**
 * `kstem`: R. Krovetz' stemmer of English (Viewing morphology as an inference process), which takes
 * endings off only where its dictionary has what is left, and some endings anyway.
 */
import { KSTEM_EXCEPTIONS, KSTEM_ROOTS, KSTEM_WORDS } from './generated/kstem-words.ts'

const MOST_LETTERS = 49
const PLAIN = /^[a-z]+$/

interface Entry {
  /** The word's dictionary form, null for itself. */
  readonly root: string | null
  /** Not found by adding an e. */
  readonly isException: boolean
}

let dictionary: ReadonlyMap<string, Entry> | null = null

/** The stem of a word in lower case. */
export function stemKrovetz(term: string): string {
  if (term.length <= 2 || term.length > MOST_LETTERS) return term
  dictionary ??= readDictionary()
  const entry = dictionary.get(term)
  if (entry !== undefined) return entry.root ?? term
  if (!PLAIN.test(term)) return term
  const word = new Word(term, dictionary)
  for (const step of STEPS) {
    step(word)
    if (word.entry !== null) break
  }
  return word.entry?.root ?? word.text
}

/** A word on its way through the steps. */
class Word {
  text: string
  /** The entry that the last look into the dictionary found. */
  entry: Entry | null = null
  readonly #dictionary: ReadonlyMap<string, Entry>

  constructor(text: string, words: ReadonlyMap<string, Entry>) {
    this.text = text
    this.#dictionary = words
  }

  /** Takes a text for the word if the dictionary has it or not, and says whether. */
  look(text: string): boolean {
    this.text = text
    this.entry = this.#dictionary.get(text) ?? null
    return this.entry !== null
  }

  /** Tries texts until the dictionary has one; else the word is what it was. */
  tryAll(...texts: readonly string[]): boolean {
    const before = this.text
    for (const text of texts) if (this.look(text)) return true
    this.text = before
    return false
  }

  /** The same, but not for a word that is an exception. */
  lookButException(text: string): boolean {
    this.text = text
    const entry = this.#dictionary.get(text) ?? null
    if (entry === null || entry.isException) return false
    this.entry = entry
    return true
  }

  /** The stem before an ending; null where the word is no longer than it or has another. */
  before(ending: string): string | null {
    const { text } = this
    return text.length > ending.length && text.endsWith(ending)
      ? text.slice(0, -ending.length)
      : null
  }
}

/** Whether a letter is a consonant; y is one at first and behind a vowel. */
function isConsonant(text: string, at: number): boolean {
  const letter = text[at]!
  if ('aeiou'.includes(letter)) return false
  return letter !== 'y' || at === 0 || !isConsonant(text, at - 1)
}

function hasVowel(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isConsonant(text, at)) return true
  return false
}

function endsDouble(text: string): boolean {
  const last = text.length - 1
  return last >= 1 && text[last] === text[last - 1] && isConsonant(text, last)
}

const undouble = (text: string): readonly string[] => (endsDouble(text) ? [text.slice(0, -1)] : [])

type Step = (word: Word) => void

const plural: Step = word => {
  const { text } = word
  if (!text.endsWith('s')) return
  const ies = word.before('ies')
  if (ies !== null) {
    if (!word.look(`${ies}ie`)) word.look(`${ies}y`)
    return
  }
  const es = word.before('es')
  if (es !== null) {
    const tryE = es.length > 1 && !es.endsWith('ss')
    if (tryE && word.look(`${es}e`)) return
    if (word.look(es)) return
    word.text = `${es}e`
    if (!tryE) word.look(word.text)
    return
  }
  if (text.length > 3 && text[text.length - 2] !== 's' && word.before('ous') === null)
    word.look(text.slice(0, -1))
}

const past: Step = word => {
  if (word.text.length <= 4) return
  const ied = word.before('ied')
  if (ied !== null) {
    if (!word.look(`${ied}ie`)) word.look(`${ied}y`)
    return
  }
  const ed = word.before('ed')
  if (ed === null || !hasVowel(ed)) return
  if (removeInflection(word, ed)) return
  word.text = ed.startsWith('un') ? `${ed}ed` : `${ed}e`
}

const aspect: Step = word => {
  if (word.text.length <= 5) return
  const ing = word.before('ing')
  if (ing === null || !hasVowel(ing)) return
  if (removeInflection(word, ing)) return
  const last = ing.length - 1
  const isCluster = last > 0 && isConsonant(ing, last) && isConsonant(ing, last - 1)
  word.text = isCluster ? ing : `${ing}e`
}

/** The stem with an e, without, without a doubled letter; a doubled letter that stays ends it too. */
function removeInflection(word: Word, stem: string): boolean {
  if (word.lookButException(`${stem}e`) || word.look(stem)) return true
  if (!endsDouble(stem)) return false
  if (!word.look(stem.slice(0, -1))) word.look(stem)
  return true
}

const ity: Step = word => {
  const { text } = word
  const stem = word.before('ity')
  if (stem === null || word.look(stem) || word.look(`${stem}e`)) return
  if (stem.endsWith('il')) word.look(`${stem.slice(0, -2)}le`)
  else if (stem.endsWith('iv')) word.look(`${stem}e`)
  else if (stem.endsWith('al')) word.look(stem)
  else if (!word.look(text)) word.text = stem
}

const ness: Step = word => {
  const stem = word.before('ness')
  if (stem !== null) word.look(stem.endsWith('i') ? `${stem.slice(0, -1)}y` : stem)
}

const ion: Step = word => {
  const stem = word.before('ion')
  if (stem === null) return
  const ization = word.before('ization')
  if (ization !== null) {
    word.look(`${ization}ize`)
    return
  }
  const ition = word.before('ition')
  const ation = word.before('ation')
  if (ition !== null && word.tryAll(`${ition}e`)) return
  if (ation !== null && word.tryAll(`${ation}ate`, `${ation}e`, ation)) return
  const ication = word.before('ication')
  if (ication !== null && word.tryAll(`${ication}y`)) return
  word.tryAll(`${stem}e`, stem)
}

const agent: Step = word => {
  const izer = word.before('izer')
  if (izer !== null) {
    word.look(`${izer}ize`)
    return
  }
  const stem = word.before('er') ?? word.before('or')
  if (stem === null) return
  const isIer = stem.endsWith('i')
  const vowel = isIer ? 'e' : word.text[stem.length]!
  const shorter = stem.slice(0, -1)
  word.tryAll(
    ...undouble(stem),
    ...(isIer ? [`${shorter}y`] : []),
    ...(stem.endsWith('e') ? [shorter] : []),
    stem + vowel,
    stem,
    `${stem}e`,
  )
}

const ly: Step = word => {
  const stem = word.before('ly')
  if (stem === null || word.look(`${stem}le`) || word.look(stem)) return
  if (stem.length > 1 && stem.endsWith('al')) return
  if (stem.length > 1 && stem.endsWith('ab')) {
    word.text = `${stem}le`
    return
  }
  if (stem.endsWith('i') && word.look(`${stem.slice(0, -1)}y`)) return
  word.text = stem
}

const al: Step = word => {
  const { text } = word
  const stem = text.length < 4 ? null : word.before('al')
  if (stem === null || word.tryAll(stem, ...undouble(stem), `${stem}e`, `${stem}um`)) return
  const ical = stem.slice(0, -2)
  if (stem.length > 1 && stem.endsWith('ic')) {
    if (!word.look(ical) && !word.look(`${ical}y`)) word.look(`${ical}ic`)
  } else if (stem.endsWith('i') && !word.look(stem.slice(0, -1))) word.look(text)
}

const ive: Step = word => {
  // The word is looked up as it is, and only an ending of -ive looks on.
  word.lookButException(word.text)
  const stem = word.before('ive')
  if (stem === null) return
  const short = stem.length > 1 && stem.endsWith('at') ? stem.slice(0, -2) : null
  const shorter = short === null ? [] : [`${short}e`, short]
  word.tryAll(stem, `${stem}e`, ...shorter, `${stem}ion`)
}

const ize: Step = word => {
  const stem = word.before('ize')
  if (stem !== null) word.tryAll(stem, ...undouble(stem), `${stem}e`)
}

const ment: Step = word => {
  const stem = word.before('ment')
  if (stem !== null) word.tryAll(stem)
}

const ble: Step = word => {
  const whole = word.before('ble')
  if (whole === null || !/[ai]$/.test(whole)) return
  const stem = whole.slice(0, -1)
  word.tryAll(stem, ...undouble(stem), `${stem}e`, `${stem}ate`)
}

const ism: Step = word => {
  const stem = word.before('ism')
  if (stem !== null) word.look(stem)
}

const ic: Step = word => {
  const stem = word.before('ic')
  if (stem !== null) word.tryAll(`${stem}ical`, `${stem}y`, `${stem}e`, stem)
}

const ncy: Step = word => {
  const stem = word.before('ncy')
  if (stem === null || !/[ea]$/.test(stem)) return
  if (!word.look(`${stem}nt`)) word.look(`${stem}nce`)
}

const nce: Step = word => {
  const whole = word.before('nce')
  if (whole === null || !/[ea]$/.test(whole)) return
  const stem = whole.slice(0, -1)
  word.tryAll(`${stem}e`, stem)
}

const STEPS: readonly Step[] = [
  plural,
  past,
  aspect,
  ity,
  ness,
  ion,
  agent,
  ly,
  al,
  ive,
  ize,
  ment,
  ble,
  ism,
  ic,
  ncy,
  nce,
]

function readDictionary(): ReadonlyMap<string, Entry> {
  const words = new Map<string, Entry>()
  const plain: Entry = { root: null, isException: false }
  let before = ''
  for (const [, shared = 'A', letters = ''] of KSTEM_WORDS.replaceAll('\n', '').matchAll(
    /([A-Z])([a-z]*)/g,
  )) {
    before = before.slice(0, shared.charCodeAt(0) - 65) + letters
    words.set(before, plain)
  }
  for (const word of KSTEM_EXCEPTIONS.split(' ')) words.set(word, { root: word, isException: true })
  for (const pair of KSTEM_ROOTS.split(' ')) {
    const [word = '', root = ''] = pair.split('>')
    words.set(word, { root, isException: false })
  }
  return words
}
