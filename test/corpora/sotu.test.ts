import { describe, expect, it } from 'vitest'
import { cutParagraphs, paragraphsOf } from '../../corpora/sotu/generate.ts'

const sentence = (words: number): string => `A${' word'.repeat(words - 1)}.`

describe('cutting addresses into paragraphs', () => {
  it('closes a paragraph at the end of the sentence that brings it to 80 words', () => {
    const text = [sentence(50), sentence(40), sentence(79), sentence(30)].join(' ')
    const paragraphs = cutParagraphs(text)
    expect(paragraphs).toEqual([
      `${sentence(50)} ${sentence(40)}`,
      `${sentence(79)} ${sentence(30)}`,
    ])
  })

  it('gives the text again when its paragraphs are joined', () => {
    const text = 'He said "no." Then 3,000 men went home! Did they? Yes. '.repeat(40).trim()
    expect(cutParagraphs(text).join(' ')).toBe(text)
  })

  it('joins a short rest to the paragraph before it', () => {
    const text = `${sentence(90)} ${sentence(5)}`
    expect(cutParagraphs(text)).toEqual([text])
  })

  it('keeps a short address whole and makes nothing of an empty one', () => {
    expect(cutParagraphs('Short.')).toEqual(['Short.'])
    expect(cutParagraphs('  ')).toEqual([])
  })

  it('gives each paragraph the fields of its address', () => {
    const address = { year: 1801, name: 'Thomas Jefferson', party: 'none', text: sentence(85) }
    expect(paragraphsOf(address, '1801_thomas_jefferson_dr')).toEqual([
      {
        id: '1801_thomas_jefferson_dr-001',
        president: 'Thomas Jefferson',
        party: 'none',
        date: '1801-01-01',
        year: 1801,
        paragraph: 1,
        words: 85,
        text: sentence(85),
      },
    ])
  })
})
