/** Snowball's stemmer of Portuguese in the version that Lucene 8 has, which leaves `-ução` alone. */
import { behindVowelAndConsonant, SuffixTable } from './suffix-table.ts'

const VOWELS = 'aeiouáéíóúâêô'

const STANDARD = new SuffixTable({
  remove:
    'eza ezas ico ica icos icas ismo ismos ável ível ista istas oso osa osos osas amento amentos imento ' +
    'imentos adora ador aça~o adoras adores aço~es ante antes ância',
  log: 'logia logias',
  u: 'ución uciones',
  ente: 'ência ências',
  amente: 'amente',
  mente: 'mente',
  idade: 'idade idades',
  iva: 'iva ivo ivas ivos',
  ira: 'ira iras',
})
const BEFORE_AMENTE = new SuffixTable({ iv: 'iv', plain: 'os ic ad' })
const BEFORE_MENTE = new SuffixTable({ plain: 'ante avel ível' })
const BEFORE_IDADE = new SuffixTable({ plain: 'abil ic iv' })
const VERBS = new SuffixTable({
  remove:
    'ada ida ia aria eria iria ará ara erá era irá ava asse esse isse aste este iste ei arei erei irei am iam ' +
    'ariam eriam iriam aram eram iram avam em arem erem irem assem essem issem ado ido ando endo indo ara~o ' +
    'era~o ira~o ar er ir as adas idas ias arias erias irias arás aras erás eras irás avas es ardes erdes irdes ' +
    'ares eres ires asses esses isses astes estes istes is ais eis íeis aríeis eríeis iríeis áreis areis éreis ' +
    'ereis íreis ireis ásseis ésseis ísseis áveis ados idos ámos amos íamos aríamos eríamos iríamos áramos ' +
    'éramos íramos ávamos emos aremos eremos iremos ássemos êssemos íssemos imos armos ermos irmos eu iu ou ira iras',
})

/** Stems Portuguese. */
export function stemPortugueseSnowball(term: string): string {
  const prepared = term.replaceAll('ã', 'a~').replaceAll('õ', 'o~')
  const regionV = findVerbRegion(prepared)
  const region1 = behindVowelAndConsonant(prepared, VOWELS, 0)
  const region2 = behindVowelAndConsonant(prepared, VOWELS, region1)
  let word = removeStandard(prepared, region1, region2, regionV) ?? removeVerb(prepared, regionV)
  if (word !== null) {
    if (word.endsWith('ci') && word.length - 1 >= regionV) word = word.slice(0, -1)
  } else word = removeResidue(prepared, regionV)
  return removeForm(word, regionV).replaceAll('a~', 'ã').replaceAll('o~', 'õ')
}

function findVerbRegion(word: string): number {
  const isVowel = (at: number): boolean => VOWELS.includes(word[at]!)
  const until = (from: number, vowel: boolean): number => {
    let at = from
    while (at < word.length && isVowel(at) !== vowel) at++
    return at < word.length ? at + 1 : -1
  }
  if (word.length < 2) return word.length
  let region = -1
  if (!isVowel(1)) region = until(2, true)
  else if (isVowel(0)) region = until(2, false)
  if (region < 0 && !isVowel(0) && isVowel(1)) region = word.length >= 3 ? 3 : -1
  return region < 0 ? word.length : region
}

/** @returns null where nothing fits */
function removeStandard(
  word: string,
  region1: number,
  region2: number,
  regionV: number,
): string | null {
  const found = STANDARD.find(word)
  if (found === null) return null
  const end = word.length - found.suffix.length
  const left = word.slice(0, end)
  /** Takes off a suffix of the stem where it stands in R2. */
  const without = (table: SuffixTable<'plain'>): string => {
    const before = table.find(left)
    if (before === null || left.length - before.suffix.length < region2) return left
    return left.slice(0, -before.suffix.length)
  }
  const withoutAt = (stem: string): string =>
    stem.endsWith('at') && stem.length - 2 >= region2 ? stem.slice(0, -2) : stem
  switch (found.action) {
    case 'amente': {
      if (end < region1) return null
      const before = BEFORE_AMENTE.find(left)
      if (before === null || end - 2 < region2) return left
      const stem = left.slice(0, -2)
      return before.action === 'iv' ? withoutAt(stem) : stem
    }
    case 'ira':
      return end >= regionV && left.endsWith('e') ? `${left}ir` : null
    default:
      if (end < region2) return null
  }
  switch (found.action) {
    case 'remove':
      return left
    case 'mente':
      return without(BEFORE_MENTE)
    case 'idade':
      return without(BEFORE_IDADE)
    case 'iva':
      return withoutAt(left)
    default:
      return left + found.action
  }
}

function removeVerb(word: string, regionV: number): string | null {
  const found = VERBS.find(word, regionV)
  return found === null ? null : word.slice(0, -found.suffix.length)
}

function removeResidue(word: string, regionV: number): string {
  const found = /(?:os|[aioáíó])$/.exec(word)
  return found !== null && found.index >= regionV ? word.slice(0, found.index) : word
}

function removeForm(word: string, regionV: number): string {
  if (word.endsWith('ç')) return `${word.slice(0, -1)}c`
  if (!/[eéê]$/.test(word) || word.length - 1 < regionV) return word
  const left = word.slice(0, -1)
  return /(?:gu|ci)$/.test(left) && left.length - 1 >= regionV ? left.slice(0, -1) : left
}
