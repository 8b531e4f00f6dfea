import type { PhotoId } from '../../../src-shared/ids'
import type { Act, DeliverySight, Line, PhotoFile, PhotoSent } from '../ledger'
import type { Complain } from './evidence'

type PhotoAct = Extract<Act, { kind: 'photograph' | 'remove photo' | 'restore photo' | 'correct' }>

/** A photo of a delivery, as the person knows it. `gone`: removed, and the delivery was finished since. */
interface Photo {
  deliveryId: string
  sha256: string
  state: 'added' | 'removed' | 'gone'
}

/**
 * What was answered "saved" is there, once. No record and no correction names a photo whose file is missing or another one,
 * and no file is left that no photo needs.
 */
export function judgePhotos(lines: readonly Line[], complain: Complain): void {
  const photos = new Map<PhotoId, Photo>()
  /** Photos of corrections, by text: null for none. */
  const corrections = new Map<string, string | null>()
  /** What the person was doing when the station died. */
  let open: PhotoAct | undefined

  const look = (deliveries: readonly DeliverySight[], files: readonly PhotoFile[]) => {
    const needed = new Set<string>()
    for (const delivery of deliveries) {
      const own = [...photos].filter(([, { deliveryId }]) => deliveryId === delivery.id)
      if (delivery.isFinished) end(delivery.id)
      else judgeOpen(delivery, new Map(own))
      judgeRecords(delivery)
      for (const sha256 of judgeCorrections(delivery)) needed.add(sha256)
    }
    for (const { state, sha256 } of photos.values()) if (state !== 'gone') needed.add(sha256)
    judgeFiles(needed, files)
    open = undefined
  }

  /** Photos of the delivery under way; what was being done is done or not. */
  const judgeOpen = ({ id, photos: shown }: DeliverySight, own: Map<PhotoId, Photo>) => {
    if (new Set(shown.map(({ photoId }) => photoId)).size !== shown.length)
      complain('doubled', `delivery ${id} shows a photo twice`)
    if (open?.kind === 'photograph' && open.deliveryId === id && !own.has(open.photoId)) {
      const { photoId, sha256 } = open
      if (shown.some((one) => one.photoId === photoId)) note({ kind: 'photograph', deliveryId: id, photoId, sha256 })
    }
    for (const { photoId } of shown)
      if (!photos.has(photoId)) complain('doubled', `delivery ${id} has photo ${photoId}, which was not added`)
    for (const [photoId, photo] of own) {
      const now = shown.find((one) => one.photoId === photoId)
      // Shown again if another photo has the same picture.
      if (photo.state === 'gone' && now?.isRemoved !== false) continue
      if (!now) {
        complain('lost', `photo ${photoId} of delivery ${id} is gone`)
        continue
      }
      const seen = now.isRemoved ? 'removed' : 'added'
      const isBeing = (open?.kind === 'remove photo' || open?.kind === 'restore photo') && open.photoId === photoId
      if (seen !== photo.state && !isBeing)
        complain('lost', `photo ${photoId} of delivery ${id} was ${photo.state} and is ${seen}`)
      photo.state = seen
    }
  }

  const judgeRecords = ({ id, isFinished, versions }: DeliverySight) => {
    for (const { version, photos: named } of versions)
      for (const { photoId, sha256, check } of named) {
        const photo = photos.get(photoId)
        const what = `photo ${photoId} in record ${version} of delivery ${id}`
        if (photo?.sha256 !== sha256) complain('untrue', `${what} is not what was added`)
        else if (check !== 'intact' && !(check === 'removed' && photo.state === 'gone'))
          complain('lost', `${what} is ${check}`)
      }
    const last = versions.at(-1)
    if (!isFinished || !last) return
    const named = last.photos.map(({ photoId }) => photoId)
    const added = [...photos].filter(([, { deliveryId, state }]) => deliveryId === id && state === 'added')
    for (const [photoId] of added)
      if (!named.includes(photoId)) complain('lost', `the last record of delivery ${id} leaves out photo ${photoId}`)
    if (named.length !== new Set(named).size) complain('doubled', `the last record of delivery ${id} has a photo twice`)
    for (const photoId of named)
      if (photos.get(photoId)?.state === 'gone')
        complain('untrue', `the last record of delivery ${id} has photo ${photoId}, which was removed`)
  }

  /** Returns the photos that corrections name. */
  const judgeCorrections = ({ id, corrections: added }: DeliverySight) =>
    added.flatMap(({ text, photo }) => {
      const what = `the correction "${text ?? ''}" of delivery ${id}`
      if (open?.kind === 'correct' && open.text === text) note(open)
      const wanted = corrections.get(text ?? '')
      if (wanted !== undefined && wanted !== idOf(photo))
        complain('lost', `${what} has not the photo that it was given`)
      if (photo && photo.check !== 'intact') complain('lost', `the photo of ${what} is ${photo.check}`)
      return photo ? [photo.sha256] : []
    })

  const judgeFiles = (needed: ReadonlySet<string>, files: readonly PhotoFile[]) => {
    for (const sha256 of needed) {
      const file = files.find(({ name }) => name === `${sha256}.jpg`)
      if (file?.sha256 !== sha256)
        complain('lost', `the file of photo ${sha256} is ${file ? 'another one' : 'missing'}`)
    }
    for (const { name } of files)
      if (!name.endsWith('.jpg') || !needed.has(name.slice(0, -'.jpg'.length)))
        complain('untrue', `the file ${name} is left over`)
  }

  /** Its removed photos are deleted. */
  const end = (deliveryId: string) => {
    for (const photo of photos.values())
      if (photo.deliveryId === deliveryId && photo.state === 'removed') photo.state = 'gone'
  }

  const note = (act: PhotoAct) => {
    if (act.kind === 'correct') {
      corrections.set(act.text, idOf(act.photo))
      return
    }
    const photo = photos.get(act.photoId)
    if (act.kind !== 'photograph') {
      if (photo) photo.state = act.kind === 'remove photo' ? 'removed' : 'added'
    } else if (!photo) photos.set(act.photoId, { deliveryId: act.deliveryId, sha256: act.sha256, state: 'added' })
  }

  for (const line of lines) {
    if (line.line === 'opened' || line.line === 'closed') look(line.sight.deliveries, line.files)
    if (line.line !== 'acts' && line.line !== 'acted') continue
    const { act } = line
    if (line.line === 'acted' && line.isDone && act.kind === 'finish') end(act.deliveryId)
    const isOfPhotos =
      act.kind === 'photograph' || act.kind === 'remove photo' || act.kind === 'restore photo' || act.kind === 'correct'
    if (!isOfPhotos) continue
    open = line.line === 'acts' ? act : undefined
    if (line.line === 'acted' && line.isDone) note(act)
  }
}

const idOf = (photo: Pick<PhotoSent, 'photoId'> | null) => photo?.photoId ?? null
