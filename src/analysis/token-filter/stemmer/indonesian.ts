/**
 * Stemmer of Indonesian (F. Z. Tala, A study of stemming effects on information retrieval in Bahasa
 * Indonesia): particle, possessive, prefixes of two orders and a suffix, while three syllables are
 * left.
 */

/** The prefix that was taken off; some suffixes do not stand with it. */
type Prefix = 'meng' | 'peng' | 'di' | 'ter' | 'ke' | 'ber' | 'pe' | null

interface Word {
  readonly text: string
  /** Vowels, less one for each affix taken off. */
  readonly syllables: number
  readonly prefixes: readonly Prefix[]
}

const isVowel = (letter: string | undefined): boolean =>
  letter !== undefined && 'aeiou'.includes(letter)

/** The stem of a word in lower case. */
export function stemIndonesian(term: string): string {
  let syllables = 0
  for (const letter of term) if (isVowel(letter)) syllables++
  let word: Word = { text: term, syllables, prefixes: [] }
  word = step(word, removeParticle)
  word = step(word, removePossessive)
  const first = step(word, removeFirstPrefix)
  if (first === word) return step(step(word, removeSecondPrefix), removeSuffix).text
  const second = step(first, removeSuffix)
  return second === first ? first.text : step(second, removeSecondPrefix).text
}

type Step = (word: Word) => { readonly text: string; readonly prefix?: Prefix } | null

function step(word: Word, remove: Step): Word {
  if (word.syllables <= 2) return word
  const removed = remove(word)
  if (removed === null) return word
  const prefixes = [...word.prefixes, removed.prefix ?? null]
  return { text: removed.text, syllables: word.syllables - 1, prefixes }
}

const removeParticle: Step = ({ text }) =>
  /(?:kah|lah|pun)$/.test(text) ? { text: text.slice(0, -3) } : null

const removePossessive: Step = ({ text }) => {
  if (text.endsWith('ku') || text.endsWith('mu')) return { text: text.slice(0, -2) }
  return text.endsWith('nya') ? { text: text.slice(0, -3) } : null
}

const removeFirstPrefix: Step = ({ text }) => {
  if (text.startsWith('me')) return { text: behindNasal(text, false), prefix: 'meng' }
  if (/^pe[nm]/.test(text)) return { text: behindNasal(text, true), prefix: 'peng' }
  if (text.startsWith('di')) return { text: text.slice(2), prefix: 'di' }
  if (text.startsWith('ter')) return { text: text.slice(3), prefix: 'ter' }
  return text.startsWith('ke') ? { text: text.slice(2), prefix: 'ke' } : null
}

/** The rest behind me- or pe- and the nasal that replaces a consonant. */
function behindNasal(text: string, isNoun: boolean): string {
  if (text.startsWith('ng', 2)) return text.slice(4)
  if (text.startsWith('ny', 2)) {
    if (isVowel(text[4])) return `s${text.slice(4)}`
    return text.slice(isNoun ? 4 : 3)
  }
  if (isNoun && text[2] === 'n' && isVowel(text[3])) return `t${text.slice(3)}`
  return text.slice(text[2] === 'n' || text[2] === 'm' ? 3 : 2)
}

const removeSecondPrefix: Step = ({ text }) => {
  if (text.startsWith('ber') || text === 'belajar') return { text: text.slice(3), prefix: 'ber' }
  if (text.startsWith('be') && !isVowel(text[2]) && text.startsWith('er', 3))
    return { text: text.slice(2), prefix: 'ber' }
  if (text.startsWith('per') || text === 'pelajar') return { text: text.slice(3) }
  return text.startsWith('pe') ? { text: text.slice(2), prefix: 'pe' } : null
}

const removeSuffix: Step = ({ text, prefixes }) => {
  const stands = (...against: Prefix[]): boolean => !against.some(each => prefixes.includes(each))
  if (text.endsWith('kan') && stands('ke', 'peng', 'pe')) return { text: text.slice(0, -3) }
  if (text.endsWith('an') && stands('di', 'meng', 'ter')) return { text: text.slice(0, -2) }
  if (text.endsWith('i') && !text.endsWith('si') && stands('ber', 'ke', 'peng'))
    return { text: text.slice(0, -1) }
  return null
}
