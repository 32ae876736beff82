/**
 * The grammar of URLs, host names and mail addresses, as Lucene's UAX29URLEmailTokenizer reads the
 * RFCs (1034, 1123, 1738, 3986, 5321, 5322).
 */
import { Automaton } from '../../util/automaton/automaton.ts'
import { type Expression, Expressions } from '../../util/automaton/expression.ts'
import { TOP_LEVEL_DOMAINS } from './top-level-domains.ts'

/** Bits of the automaton's rules. */
export const URL_RULE = 1
export const HOST_RULE = 2
/** `mailto:` and the address behind it. */
export const MAILTO_RULE = 4
export const EMAIL_RULE = 8

let shared: Automaton | null = null

/** The grammar's automaton, made once a thread. */
export function urlEmailGrammar(): Automaton {
  shared ??= make()
  return shared
}

const HEX = [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]
const DIGIT = [0x30, 0x39]
const ALNUM = [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]

function make(): Automaton {
  const e = new Expressions()
  const seq = (...parts: Expression[]): Expression => e.sequence(...parts)
  const alt = (...parts: Expression[]): Expression => e.either(...parts)
  const one = (chars: string): Expression => alt(...[...chars].map(char => e.text(char)))
  const times = (part: Expression, min: number, max: number): Expression => e.repeat(part, min, max)
  const opt = (part: Expression): Expression => e.optional(part)
  const star = (part: Expression): Expression => e.star(part)
  /** Letters in both cases. */
  const word = (text: string): Expression =>
    seq(...[...text].map(char => one(char.toLowerCase() + char.toUpperCase())))

  const alnum = e.set(ALNUM)
  const digit = e.set(DIGIT)
  const hex = e.set(HEX)
  const dot = e.text('.')
  const colon = e.text(':')

  const label = seq(alnum, opt(seq(star(alt(alnum, e.text('-'))), alnum)))
  const labels = seq(label, star(seq(dot, label)))
  // A last dot stands for the root.
  const strictName = seq(labels, dot, trieOf(e, TOP_LEVEL_DOMAINS), opt(dot))

  const octet = alt(
    seq(times(e.text('0'), 0, 2), digit),
    seq(opt(e.text('0')), one('123456789'), digit),
    seq(e.text('1'), digit, digit),
    seq(e.text('2'), alt(seq(one('01234'), digit), seq(e.text('5'), one('012345')))),
  )
  const ipv4 = seq(octet, times(seq(dot, octet), 3, 3))
  const ipv6 = ipv6Address(e, times(hex, 1, 4), ipv4)
  const bracketed = seq(e.text('['), ipv6, e.text(']'))
  const strictHost = alt(bracketed, ipv4, strictName)
  const looseHost = alt(bracketed, ipv4, labels)

  const unreserved = alt(alnum, one('-._~'))
  const encoded = seq(e.text('%'), hex, hex)
  const delimiters = one("!$&'()*+,;=")
  const loginPart = star(alt(unreserved, encoded, delimiters))
  const login = seq(loginPart, opt(seq(colon, loginPart)), e.text('@'))
  const tail = star(alt(unreserved, encoded, delimiters, one(':@/?')))
  const query = seq(e.text('?'), tail)
  const fragment = seq(e.text('#'), tail)
  const port = seq(colon, times(digit, 1, 5))

  const httpPath = e.plus(seq(e.text('/'), star(alt(unreserved, encoded, one(';:@&=')))))
  const httpFull = seq(
    word('http'),
    opt(word('s')),
    e.text('://'),
    opt(login),
    looseHost,
    opt(port),
    opt(httpPath),
    opt(query),
    opt(fragment),
  )
  // Without a scheme more than a host is wanted, and no login, which would take mail addresses.
  const httpBare = seq(
    strictHost,
    alt(
      seq(port, opt(httpPath), opt(query), opt(fragment)),
      seq(opt(port), httpPath, opt(query), opt(fragment)),
      seq(opt(port), opt(httpPath), query, opt(fragment)),
      seq(opt(port), opt(httpPath), opt(query), fragment),
    ),
  )
  const ftpSegment = star(alt(unreserved, encoded, one('?:@&=')))
  const ftpPath = e.plus(seq(e.text('/'), ftpSegment))
  const ftpType = seq(e.text(';'), word('type'), e.text('='), one('aAiIdD'))
  const ftp = seq(
    word('ftp'),
    e.text('://'),
    opt(login),
    looseHost,
    opt(port),
    ftpPath,
    opt(ftpType),
    opt(fragment),
  )
  const file = seq(word('file'), e.text('://'), opt(looseHost), ftpPath, opt(fragment))

  const escaped = seq(e.text('\\'), e.set([0, 0x7f]))
  const quotedText = e.set([1, 8, 0x0b, 0x0c, 0x0e, 0x21, 0x23, 0x5b, 0x5d, 0x7e])
  const quoted = seq(e.text('"'), star(alt(quotedText, escaped)), e.text('"'))
  // Lucene 8 takes commas and dots anywhere.
  const local = alt(e.plus(alt(alnum, one("!#$%&'*+,-./=?^_`{|}~"))), quoted)
  const literal = alt(e.set([1, 8, 0x0b, 0x0c, 0x0e, 0x5a, 0x5e, 0x7f]), escaped)
  const mailHost = alt(strictName, seq(e.text('['), star(literal), e.text(']')))
  const email = seq(local, star(seq(dot, local)), e.text('@'), mailHost)
  const mailto = seq(word('mailto'), colon, email)
  return new Automaton(e, [alt(httpFull, httpBare, ftp, file), strictHost, mailto, email])
}

function ipv6Address(e: Expressions, group: Expression, ipv4: Expression): Expression {
  const colon = e.text(':')
  const gap = e.text('::')
  const led = e.sequence(group, colon)
  const low = e.either(ipv4, e.sequence(group, colon, group))
  /** Up to so many groups before the gap. */
  const before = (most: number): Expression =>
    e.optional(e.sequence(e.repeat(led, 0, most - 1), group))
  const parts = [e.sequence(e.repeat(led, 6, 6), low), e.sequence(gap, e.repeat(led, 5, 5), low)]
  for (let most = 1; most <= 5; most++)
    parts.push(e.sequence(before(most), gap, e.repeat(led, 5 - most, 5 - most), low))
  parts.push(e.sequence(before(6), gap, group), e.sequence(before(7), gap))
  return e.either(...parts)
}

/** Words in any case, shared beginnings once. */
function trieOf(e: Expressions, words: readonly string[]): Expression {
  const behind = new Map<string, string[]>()
  let isWord = false
  for (const word of words) {
    if (word === '') isWord = true
    else behind.set(word[0]!, [...(behind.get(word[0]!) ?? []), word.slice(1)])
  }
  const parts = [...behind].map(([char, rest]) =>
    e.sequence(e.either(e.text(char), e.text(char.toUpperCase())), trieOf(e, rest)),
  )
  return e.either(...(isWord ? [e.empty] : []), ...parts)
}
