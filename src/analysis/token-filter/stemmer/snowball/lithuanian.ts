/** Snowball's stemmer of Lithuanian (D. Sakalauskas): one ending, then suffixes while there are any. */
import { SuffixTable } from './suffix-table.ts'

const VOWELS = 'aeiyouąęįųėū'

const ENDINGS = new SuffixTable({
  cut:
    'as ias is ys o io ui iui ą ią į u iu e yje y au i an ai iai ų ių ams am iams iam us ius ais iais uose iuose ' +
    'uos iuos uosna iuosna ysna asis aisi osi ųsi uisi ąsi usi esi uo a ia os ios oj oje ioje osna iosna om oms ' +
    'ioms omis iomis ose iose on ion ė ės ei ę ėj ėje ėms es ėmis ėse ėsna ėn aus iaus umi iumi uje iuje iau ūs ' +
    'ums umis un iun ies ens enio eniui enį imi eniu ers eriai erį erimi eria eryje erie erys erų erims eryse enyje ie enie enys ims enims enis imis enimis yse enyse iem ' +
    'iems ame iame uosi iuosi iesi asi iasi amės iamės at ate iat iate atės iatės isi im imės it ite ome ot ote ' +
    'ėjo ėjosi otės eisi ėsi ėm ėme ėmės ėt ėte ėtės ausi omės siu siuosi si siesi s ysis sim sime sit site čiau ' +
    'čiausi tum tumei tumeis tumeisi tųsi tumėm tumėme tumėmės tute tumėt tumėte tumėtės k ki kimės uoti iuoti ' +
    'auti iauti oti ioti ėti yti inti inėti enti telėti terėti ti ąs iąs įs tųs simės sitės kite',
})
const SUFFIXES = new SuffixTable({
  cut:
    'ing išk ėt ot uot iuot yt iuk iul ėl yl učiuk uliuk utėait ok iok sv šv zgan op iop ain ykšt ykšč esn aus ' +
    'iaus ias oj ioj aj iaj ąj iąj uoj iuoj iej ųj iųj ies uos iuos ais iais os ios ąs iąs dav ant iant int ėj ę ' +
    'ėję ęs siant dam auj jam iau am',
})
/** Words whose ending looks like that of a verb. */
const NOUNS = new SuffixTable({
  aitė: 'aite aitės',
  uotė: 'uotės uote',
  ėjimas: 'ėjime',
  esys: 'esiu',
  asys: 'asius',
  avimas: 'avime',
  ojimas: 'ojime',
  okatė: 'okatės okate',
})

/** Stems Lithuanian. */
export function stemLithuanian(term: string): string {
  const region = findRegion(term)
  const noun = NOUNS.find(term)
  let word = noun === null ? term : term.slice(0, -noun.suffix.length) + noun.action
  const ending = ENDINGS.find(word, region)
  if (ending !== null) word = word.slice(0, -ending.suffix.length)
  word = harden(word)
  for (
    let suffix = SUFFIXES.find(word, region);
    suffix !== null;
    suffix = SUFFIXES.find(word, region)
  )
    word = word.slice(0, -suffix.suffix.length)
  word = harden(word)
  return word.endsWith('gd') ? word.slice(0, -1) : word
}

/** Behind the first consonant after a vowel; an a before long words is a prefix. */
function findRegion(word: string): number {
  let at = word.startsWith('a') && word.length > 6 ? 1 : 0
  while (at < word.length && !VOWELS.includes(word[at]!)) at++
  while (at < word.length && VOWELS.includes(word[at]!)) at++
  return at < word.length ? at + 1 : word.length
}

function harden(word: string): string {
  if (word.endsWith('č')) return `${word.slice(0, -1)}t`
  return word.endsWith('dž') ? word.slice(0, -1) : word
}
