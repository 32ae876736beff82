import { EndingRules } from './word.ts'

const ARTICLES = new EndingRules('6 ият;5 ът то те та ия;4 ят')
const PLURALS = new EndingRules('6 овци>о ове еве>й;5 ища та ци>к зи>г')
const SHORT_PLURALS = new EndingRules('4 си>х и')

/** Light stemmer of Bulgarian (J. Savoy, Searching strategies for the Bulgarian language). */
export function stemBulgarian(term: string): string {
  if (term.length < 4) return term
  if (term.length > 5 && term.endsWith('ища')) return term.slice(0, -3)
  let word = removePlural(ARTICLES.apply(term))
  if (word.length > 3) {
    if (word.endsWith('я')) word = word.slice(0, -1)
    if (/[аое]$/.test(word)) word = word.slice(0, -1)
  }
  if (word.length > 4 && word.endsWith('ен')) word = `${word.slice(0, -2)}н`
  if (word.length > 5 && word[word.length - 2] === 'ъ')
    word = word.slice(0, -2) + word[word.length - 1]
  return word
}

function removePlural(word: string): string {
  const singular = PLURALS.apply(word)
  if (singular !== word) return singular
  const { length } = word
  if (length > 5 && word[length - 3] === 'е' && word[length - 1] === 'и')
    return `${word.slice(0, -3)}я${word[length - 2]}`
  return SHORT_PLURALS.apply(word)
}
