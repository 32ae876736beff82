import type { GetObjectCommandOutput, PutObjectCommandInput } from '@aws-sdk/client-s3'
import { EngineError } from '../../../util/errors.ts'
import type { FileList, FileStore, FillFile, StoredFileReader } from './file-store.ts'
import { type S3Requests, s3Error } from './s3-client.ts'

/** Parts of an upload that S3 takes. */
export const MAX_UPLOAD_PARTS = 10_000

/** Longest file that is read as a whole: a root, or a snapshot. */
const MAX_WHOLE_BYTES = 513 * 2 ** 20

/** Where files lie, and how they are kept. */
export interface S3StoreOptions {
  readonly bucket: string
  /** '' or a path that ends with a slash. */
  readonly prefix: string
  /** Length of a part of an upload; shorter files are sent at once. */
  readonly bufferBytes: number
  readonly acl: string
  readonly storageClass: string
  readonly isEncrypted: boolean
}

/** Files as objects of a bucket, whose names are there once they are whole. */
export class S3Store implements FileStore {
  readonly pieceBytes: number = 8 << 20
  readonly isListed: boolean = true
  readonly #requests: S3Requests
  readonly #options: S3StoreOptions

  constructor(requests: S3Requests, options: S3StoreOptions) {
    this.#requests = requests
    this.#options = options
  }

  async list(): Promise<FileList> {
    const { bucket, prefix } = this.#options
    const lengths = new Map<string, number>()
    let token: string | undefined
    do {
      const from = { Bucket: bucket, Prefix: prefix, Delimiter: '/', ContinuationToken: token }
      const answer = await this.#requests.ask('ListObjectsV2', s3 => s3.listObjectsV2(from))
      for (const { Key, Size } of answer.Contents ?? [])
        if (Key?.startsWith(prefix)) lengths.set(Key.slice(prefix.length), Size ?? 0)
      const next = answer.IsTruncated === true ? answer.NextContinuationToken : undefined
      if (next !== undefined && next === token)
        throw s3Error('ListObjectsV2', { name: 'RepeatedToken' })
      token = next
    } while (token !== undefined)
    return { names: [...lengths.keys()].sort(), lengthOf: name => lengths.get(name) ?? -1 }
  }

  async read(name: string): Promise<Uint8Array> {
    return this.#retried(async () => {
      const answer = await this.#get(name)
      const length = answer.ContentLength ?? 0
      if (length > MAX_WHOLE_BYTES) throw s3Error('GetObject', { name: 'EntityTooLarge' })
      const bytes = new Uint8Array(length)
      await fillFrom(answer, bytes)
      return bytes
    })
  }

  async open(name: string): Promise<StoredFileReader> {
    return {
      readLater: (offset, target) =>
        target.length === 0
          ? Promise.resolve()
          : this.#retried(async () => {
              const range = `bytes=${offset}-${offset + target.length - 1}`
              await fillFrom(await this.#get(name, range), target)
            }),
      close() {},
    }
  }

  async write(name: string, _unfinished: string, fill: FillFile): Promise<void> {
    const upload = new Upload(this.#requests, {
      input: { ...this.#object(name), ...this.#kept() },
      bufferBytes: this.#options.bufferBytes,
    })
    try {
      await fill((_, bytes) => upload.add(bytes))
      await upload.finish()
    } catch (error) {
      await upload.abandon()
      throw error
    }
  }

  async delete(name: string): Promise<void> {
    await this.#requests.ask('DeleteObject', s3 => s3.deleteObject(this.#object(name)))
  }

  /** Each answer of the server is durable. */
  async sync(): Promise<void> {}

  #object(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#options.bucket, Key: `${this.#options.prefix}${name}` }
  }

  #kept(): Pick<PutObjectCommandInput, 'ACL' | 'StorageClass' | 'ServerSideEncryption'> {
    const { acl, storageClass, isEncrypted } = this.#options
    return {
      ACL: acl as PutObjectCommandInput['ACL'],
      StorageClass: storageClass as PutObjectCommandInput['StorageClass'],
      ...(isEncrypted ? { ServerSideEncryption: 'AES256' } : {}),
    }
  }

  #get(name: string, range?: string): Promise<GetObjectCommandOutput> {
    return this.#requests.ask('GetObject', s3 =>
      s3.getObject({ ...this.#object(name), Range: range }),
    )
  }

  /** Reads again where a body broke off: the package repeats requests, but not their bodies. */
  async #retried<T>(read: () => Promise<T>): Promise<T> {
    for (let retries = 0; ; retries++)
      try {
        return await read()
      } catch (error) {
        if (error instanceof EngineError) throw error
        if (retries >= this.#requests.maxRetries) throw s3Error('GetObject', error)
      }
  }
}

/** @throws {RangeError} the body is not of the length of the target */
async function fillFrom({ Body }: GetObjectCommandOutput, target: Uint8Array): Promise<void> {
  let filled = 0
  for await (const part of Body as AsyncIterable<Uint8Array>) {
    if (filled + part.length > target.length) throw new RangeError('the body is too long')
    target.set(part, filled)
    filled += part.length
  }
  if (filled !== target.length) throw new RangeError('the body ended early')
}

/** One file on its way: a single request, or parts where it is longer than the buffer. */
class Upload {
  readonly #requests: S3Requests
  readonly #input: Omit<PutObjectCommandInput, 'Body'>
  readonly #buffer: Uint8Array[] = []
  readonly #bufferBytes: number
  #buffered = 0
  #id: string | null = null
  readonly #parts: { readonly ETag: string | undefined; readonly PartNumber: number }[] = []

  constructor(
    requests: S3Requests,
    options: { readonly input: Omit<PutObjectCommandInput, 'Body'>; readonly bufferBytes: number },
  ) {
    this.#requests = requests
    this.#input = options.input
    this.#bufferBytes = options.bufferBytes
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#buffer.push(bytes.slice())
    this.#buffered += bytes.length
    if (this.#buffered >= this.#bufferBytes) await this.#sendPart()
  }

  async finish(): Promise<void> {
    if (this.#id === null) {
      const whole = { ...this.#input, Body: this.#takeBuffer() }
      await this.#requests.ask('PutObject', s3 => s3.putObject(whole))
      return
    }
    if (this.#buffered > 0) await this.#sendPart()
    const all = { ...this.#upload(), MultipartUpload: { Parts: this.#parts } }
    const done = await this.#requests.ask('CompleteMultipartUpload', s3 =>
      s3.completeMultipartUpload(all),
    )
    // A failure may come with status 200, once the server has begun its answer.
    if (done.Key === undefined && done.ETag === undefined)
      throw s3Error('CompleteMultipartUpload', { name: 'NoObject' })
  }

  /** Parts that cannot be taken back waste space until a rule of the bucket removes them. */
  async abandon(): Promise<void> {
    if (this.#id === null) return
    await this.#requests
      .ask('AbortMultipartUpload', s3 => s3.abortMultipartUpload(this.#upload()))
      .catch(() => {})
  }

  async #sendPart(): Promise<void> {
    if (this.#id === null) {
      const begun = await this.#requests.ask('CreateMultipartUpload', s3 =>
        s3.createMultipartUpload(this.#input),
      )
      if (begun.UploadId === undefined) throw s3Error('CreateMultipartUpload', { name: 'NoUpload' })
      this.#id = begun.UploadId
    }
    const PartNumber = this.#parts.length + 1
    const part = { ...this.#upload(), PartNumber, Body: this.#takeBuffer() }
    const { ETag } = await this.#requests.ask('UploadPart', s3 => s3.uploadPart(part))
    this.#parts.push({ ETag, PartNumber })
  }

  #upload(): { readonly Bucket: string; readonly Key: string; readonly UploadId: string } {
    const { Bucket, Key } = this.#input
    return { Bucket: Bucket!, Key: Key!, UploadId: this.#id! }
  }

  #takeBuffer(): Uint8Array {
    const bytes = Buffer.concat(this.#buffer)
    this.#buffer.length = 0
    this.#buffered = 0
    return bytes
  }
}
