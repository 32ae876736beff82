import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Settings } from '../../../src/schema/settings.ts'
import { openS3Client, s3ClientSettings } from '../../../src/service/snapshot/place/s3-client.ts'
import { S3Store } from '../../../src/service/snapshot/place/s3-store.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

let server: Server
let endpoint = ''
let answer: Answer = () => {}
let seen: string[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    try {
      for await (const part of request) body += part
    } catch {
      // The client has given up.
      return
    }
    seen.push(`${request.method} ${request.url}`)
    answer(request, response, body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function store(answers: Answer, readTimeout = '20s'): S3Store {
  answer = answers
  seen = []
  const settings = new Settings([
    ['s3.client.default.endpoint', endpoint],
    ['s3.client.default.path_style_access', 'true'],
    ['s3.client.default.read_timeout', readTimeout],
    ['s3.client.default.max_retries', '2'],
  ])
  const keys = { AWS_ACCESS_KEY_ID: 'KEYOFMINE', AWS_SECRET_ACCESS_KEY: 'SECRETOFMINE' }
  return new S3Store(openS3Client(s3ClientSettings('r', 'default', settings, keys, () => [])), {
    bucket: 'books',
    prefix: 'a/',
    bufferBytes: 5 * 2 ** 20,
    acl: 'private',
    storageClass: 'STANDARD',
    isEncrypted: true,
  })
}

const xml = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?>${text}`)
}

async function failure(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => new Error('nothing failed'),
    (reason: Error) => reason,
  )
  expect(JSON.stringify([error.message, error])).not.toMatch(/OFMINE/)
  return error.message
}

describe('a server of S3', () => {
  it('that repeats what it was sent has none of it shown', async () => {
    const own = store(({ headers }, response) =>
      xml(
        response,
        403,
        `<Error><Code>AccessDenied</Code><Message>${headers.authorization} SECRETOFMINE</Message></Error>`,
      ),
    )
    expect(await failure(own.list())).toBe(
      '[ListObjectsV2] failed with [AccessDenied], status [403]',
    )
    const odd = store((_, response) =>
      xml(response, 400, '<Error><Code>KEYOFMINE is bad</Code></Error>'),
    )
    expect(await failure(odd.read('x'))).toBe('[GetObject] failed with [an error], status [400]')
  })

  it('that fails for a while is asked again', async () => {
    let failures = 2
    const own = store((_, response) => {
      if (failures-- > 0) xml(response, 503, '<Error><Code>SlowDown</Code></Error>')
      else response.end('abc')
    })
    expect(Buffer.from(await own.read('x')).toString()).toBe('abc')
    expect(seen).toEqual(Array(3).fill('GET /books/a/x?x-id=GetObject'))
  })

  it('whose bodies break off is asked again, and no more often than that', async () => {
    let whole = false
    const own = store((_, response) => {
      response.writeHead(200, { 'content-length': '6' })
      response.write(whole ? 'abcdef' : 'abc', () => {
        if (whole) response.end()
        else response.destroy()
        whole = true
      })
    })
    const file = await own.open('x')
    const target = new Uint8Array(6)
    await file.readLater(0, target)
    expect(Buffer.from(target).toString()).toBe('abcdef')
    const never = store((_, response) => {
      response.writeHead(200, { 'content-length': '6' })
      response.write('abc', () => response.destroy())
    })
    expect(await failure(never.read('x'))).toMatch(/^\[GetObject\] failed with \[\w+\]$/)
    expect(seen).toHaveLength(3)
  })

  it('that sends more or less than was asked for is refused', async () => {
    const own = store((_, response) => response.end('abcdefgh'))
    const file = await own.open('x')
    expect(await failure(file.readLater(2, new Uint8Array(4)))).toBe(
      '[GetObject] failed with [RangeError]',
    )
    expect(await failure(file.readLater(2, new Uint8Array(9)))).toBe(
      '[GetObject] failed with [RangeError]',
    )
    const endless = store((_, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 40) })
      response.write('abc')
    })
    expect(await failure(endless.read('x'))).toBe('[GetObject] failed with [EntityTooLarge]')
  })

  it('that says nothing is given up', async () => {
    const own = store(() => {}, '300ms')
    expect(await failure(own.list())).toBe('[ListObjectsV2] failed with [ETIMEDOUT]')
    const midway = store((_, response) => {
      response.writeHead(200, { 'content-length': '6' })
      response.write('abc')
    }, '300ms')
    expect(await failure(midway.read('x'))).toMatch(/^\[GetObject\] failed with \[\w+\]$/)
  })

  it('that leads elsewhere is not followed', async () => {
    const own = store((_, response) => {
      response.writeHead(301, { location: `${endpoint}/elsewhere` })
      response.end()
    })
    expect(await failure(own.read('x'))).toMatch(/status \[301\]$/)
    expect(seen.every(line => line.startsWith('GET /books/a/x'))).toBe(true)
  })

  it('that lists without an end is refused', async () => {
    const own = store((_, response) =>
      xml(
        response,
        200,
        '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>' +
          '<Contents><Key>a/x</Key><Size>3</Size></Contents></ListBucketResult>',
      ),
    )
    expect(await failure(own.list())).toBe('[ListObjectsV2] failed with [RepeatedToken]')
    expect(seen).toHaveLength(2)
  })

  it('gets long files in parts, and is told of those that are given up', async () => {
    const piece = new Uint8Array(4 * 2 ** 20)
    const own = store(({ method, url }, response) => {
      if (method === 'POST' && url!.includes('?uploads'))
        xml(response, 200, '<R><UploadId>u1</UploadId></R>')
      else if (method === 'POST') xml(response, 200, '<R><Key>a/x</Key><ETag>"e"</ETag></R>')
      else if (url!.includes('partNumber=3')) xml(response, 403, '<Error><Code>No</Code></Error>')
      else {
        response.writeHead(method === 'DELETE' ? 204 : 200, { etag: '"e"' })
        response.end()
      }
    })
    await own.write('x', 'tmp', async write => {
      for (let i = 0; i < 3; i++) await write(i * piece.length, piece)
    })
    const shape = (line: string): string => line.replace(/&?x-id=\w+/, '')
    expect(seen.map(shape)).toEqual([
      'POST /books/a/x?uploads=',
      'PUT /books/a/x?partNumber=1&uploadId=u1',
      'PUT /books/a/x?partNumber=2&uploadId=u1',
      'POST /books/a/x?uploadId=u1',
    ])
    seen = []
    const writing = own.write('x', 'tmp', async write => {
      for (let i = 0; i < 6; i++) await write(i * piece.length, piece)
    })
    expect(await failure(writing)).toBe('[UploadPart] failed with [No], status [403]')
    expect(shape(seen.at(-1)!)).toBe('DELETE /books/a/x?uploadId=u1')
  })
})

describe('the keys of a client', () => {
  const read = (lines: readonly string[], environment: Record<string, string> = {}) =>
    s3ClientSettings(
      'r',
      'mine',
      new Settings([
        ['s3.client.mine.credentials', 'keys'],
        ['s3.client.mine.endpoint', 'host:9000'],
      ]),
      environment,
      () => lines,
    )

  it('come from a file, and show in no text', () => {
    const { accessKey, secretKey, sessionToken, endpoint } = read([
      'access_key: a1',
      'secret_key = s2',
      'session_token:t3',
    ])
    expect([accessKey, secretKey, sessionToken!].map(key => key.reveal())).toEqual([
      'a1',
      's2',
      't3',
    ])
    expect(JSON.stringify([accessKey, secretKey, sessionToken])).toBe('["***","***","***"]')
    expect(endpoint).toBe('https://host:9000/')
  })

  it('are not looked for elsewhere where a file is named', () => {
    const environment = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' }
    expect(() => read([], environment)).toThrow(
      '[r] no keys for the s3 client [mine]: set [s3.client.mine.credentials] to a file with [access_key] and ' +
        '[secret_key], or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment',
    )
  })

  it('are not shown when their file is wrong', () => {
    expect(() => read(['access_key: a1', 'topsecret'])).toThrow(
      'line [2] of the file of [s3.client.mine.credentials] is none of [access_key: …], [secret_key: …], ' +
        '[session_token: …]',
    )
  })
})
