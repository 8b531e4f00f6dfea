import { type Page, chromium } from '@playwright/test'
import { steadily } from '../fakes/key-traces/play'
import { expectFitting } from './axe'
import { browserLaunch } from './browser'
import { RealKeyboard } from './real-keyboard'
import { Counter, codes, expect, test } from './station'

async function openPhotos(counter: Counter) {
  await counter.scan(codes.package)
  await expect(counter.page.getByRole('heading', { name: /^Delivery: 3 cases/ })).toBeVisible()
  // A menu that is closed, by a key or by a choice, gives the focus back.
  const more = counter.button(/^More$/)
  await more.click()
  await expect(more).not.toBeFocused()
  await counter.page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await more.press('Enter')
  await counter.button('Photos of damage').press('Enter')
  await counter.page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await more.click()
  await counter.button('Photos of damage').click()
  // The file input that the buttons open is out of sight.
  await expect(counter.button('Use camera')).toBeFocused()
}

async function openRecord(counter: Counter) {
  await counter.button('History').click()
  await counter.page.getByRole('tab', { name: 'Deliveries' }).click()
  await counter.button(/^Record of the delivery/).click()
  await expect(counter.page.getByRole('dialog')).toContainText('Unchanged since it was saved')
}

/** The camera's dialog, over the one it was opened from. */
const cameraOf = (page: Page) => page.getByRole('dialog', { name: 'Take a photo' })

/** Notes every track of the page's camera, to ask later whether it was turned off. */
const noteTracks = (page: Page) =>
  page.evaluate(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    const tracks: MediaStreamTrack[] = []
    mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted)
      tracks.push(...stream.getTracks())
      return stream
    }
    Object.assign(window, { tracks })
  })
const tracks = (page: Page) =>
  page.evaluate<string[]>("window.tracks.map(({ kind, readyState }) => kind + ' ' + readyState)")

test(
  'a photo of damage is taken with the camera, looked at, and is in the delivery and its record',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await noteTracks(page)
    const camera = cameraOf(page)
    const take = camera.getByRole('button', { name: 'Take photo' })
    const use = camera.getByRole('button', { name: 'Use photo' })
    await openPhotos(counter)
    await counter.button('Use camera').click()
    await expect(take).toBeFocused()

    // Held, the key would also use the photo, which was not looked at.
    await page.keyboard.down('Enter')
    await expect(use).toBeFocused()
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await expect(camera.getByRole('img', { name: 'The photo you took' })).toBeVisible()
    await expectFitting(page, 'photo taken')
    await camera.getByRole('button', { name: 'Retake' }).click()
    await expect(take).toBeFocused()
    await take.dblclick()
    await expect(use).toBeFocused()
    expect(await tracks(page)).toEqual(['video live'])
    await page.keyboard.press('Space')

    await expect(camera).toBeHidden()
    expect(await tracks(page)).toEqual(['video ended'])
    const dialog = page.getByRole('dialog')
    await expect(counter.button('Use camera')).toBeFocused()
    await expect(dialog).toContainText('1 of 24 photos')
    const look = await dialog.getByRole('img', { name: 'Photo' }).evaluate(async (image) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d')
      if (!(image instanceof HTMLImageElement) || !context) return null
      await image.decode()
      // Between the corners, which blink, and the middle, which turns.
      context.drawImage(image, -image.naturalWidth / 2, -image.naturalHeight / 10)
      const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
      return {
        size: [image.naturalWidth, image.naturalHeight],
        shade: [red, green, blue].map((one) => Math.round(one / 20)),
      }
    })
    // Shrunk as a file is, and Chromium's test picture, which is green.
    expect(look).toEqual({ size: [1_600, 900], shade: [0, 7, 0] })
    await dialog.getByRole('button', { name: 'Done' }).click()

    await counter.button('Finish delivery').first().click()
    await counter.field('Received by').fill('Maya Ortiz')
    await counter.finishNow()
    await counter.button('Next delivery').click()
    await expect(page.getByText('Scan a package or a case to begin')).toBeVisible()
    await openRecord(counter)
    await expect(dialog.locator('.paper')).toContainText('1 photo')
    await expect(dialog.getByRole('img', { name: 'Photo' })).toBeVisible()

    await dialog.getByRole('button', { name: 'Add correction' }).click()
    await counter.field('Your name').fill('Ana Reyes')
    await counter.field('What needs correcting').fill('A second box was torn.')
    await counter.button('Use camera').click()
    await take.click()
    await use.click()
    await expect(camera).toBeHidden()
    await expect(dialog).toContainText('Photo from the camera')
    expect(await tracks(page)).toEqual(['video ended', 'video ended'])
    await dialog.getByRole('button', { name: 'Add correction' }).click()
    await expect(dialog.locator('.paper')).toContainText('A second box was torn.')
    await expect(dialog.getByRole('img', { name: 'Photo' })).toHaveCount(2)
  },
)

test('scans while the camera is on take no photo, whatever the scanner', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  const camera = cameraOf(page)
  await openPhotos(counter)
  await counter.button('Use camera').click()
  await expect(camera.getByRole('button', { name: 'Take photo' })).toBeFocused()
  const keys = await RealKeyboard.plugIn(page)
  const scans = [
    steadily(`${codes.caseToImport}\n`, { gap: 4 }),
    steadily(`${codes.byCompany}\n`, { gap: 90, held: 12 }),
    // Too short or too odd to be recognized: their Space and Enter reach the page.
    steadily('AB 12\n', { gap: 4 }),
    steadily('AB 12\n', { gap: 90, held: 12 }),
    steadily('AB 12 CD\n', { gap: 180, held: 100 }),
  ]
  for (const scan of scans) {
    await keys.type(scan)
    // What came before it has been handled.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    await expect(camera.getByRole('button', { name: 'Take photo' })).toBeFocused()
  }
  await expect(camera.getByRole('img', { name: 'The photo you took' })).toBeHidden()
  // A person does, also without the focus on the button.
  await camera.getByText('Nothing is saved until you use a photo.').click()
  await keys.type(steadily(' ', { held: 95 }))
  await expect(camera.getByRole('button', { name: 'Use photo' })).toBeFocused()
  await keys.type(steadily('\n', { held: 95 }))
  await expect(camera).toBeHidden()
  await expect(page.getByRole('dialog')).toContainText('1 of 24 photos')
})

test(
  'the camera is off once it is left, by Esc or because the delivery ended',
  { tag: '@long' },
  async ({ counter, station }) => {
    test.skip(station.host !== 'browser', 'an Electron station has one page')
    const { page } = counter
    await noteTracks(page)
    await openPhotos(counter)
    const camera = cameraOf(page)
    await counter.button('Use camera').click()
    await expect(camera.getByRole('button', { name: 'Take photo' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(camera).toBeHidden()
    await expect(counter.button('Use camera')).toBeFocused()
    expect(await tracks(page)).toEqual(['video ended'])
    await counter.button('Use camera').click()
    await expect(camera.getByRole('button', { name: 'Take photo' })).toBeFocused()

    const other = new Counter(await page.context().newPage())
    await other.page.goto(station.url)
    await other.button('Finish delivery').first().click()
    await other.field('Received by').fill('Maya Ortiz')
    await other.finishNow()
    await expect(camera).toBeHidden()
    expect(await tracks(page)).toEqual(['video ended', 'video ended'])
    // The next delivery begins without the dialog of this one.
    await other.typeCode(codes.package)
    await expect(page.getByRole('heading', { name: /^Delivery: 3 cases/ })).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    await other.page.close()
  },
)

/** A page of a browser with other cameras, or other permissions, than the tests' usual one. */
async function openWith(url: string, flags: string[], use: (page: Page) => Promise<void>) {
  const launch = await browserLaunch()
  const usual = launch.args?.filter((one) => !one.startsWith('--use-fake-')) ?? []
  const browser = await chromium.launch({ ...launch, args: [...usual, ...flags] })
  try {
    const page = await browser.newPage({ viewport: { width: 1024, height: 768 }, reducedMotion: 'reduce' })
    await page.goto(url)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await noteTracks(page)
    await openPhotos(new Counter(page))
    await use(page)
  } finally {
    await browser.close()
  }
}

const allowed = '--use-fake-ui-for-media-stream'
const failures: [string, string[], RegExp][] = [
  ['there is no camera', ['--use-fake-device-for-media-stream=device-count=0', allowed], /No camera found.*Connect/],
  [
    'the camera is refused',
    ['--use-fake-device-for-media-stream', `${allowed}=deny`],
    /The camera isn’t allowed.*Select the icon beside the page’s address/,
  ],
]
for (const [what, flags, says] of failures) {
  test(`says so when ${what}, and files can still be chosen`, { tag: '@long' }, async ({ station }) => {
    test.skip(station.host !== 'browser', 'the other hosts have a browser of their own')
    await openWith(station.url, flags, async (page) => {
      const camera = cameraOf(page)
      await page.getByRole('button', { name: 'Use camera' }).click()
      await expect(camera.getByRole('alert')).toContainText(says)
      await expect(camera.getByRole('button', { name: 'Try again' })).toBeFocused()
      await expectFitting(page, what)
      await page.keyboard.press('Enter')
      await expect(camera.getByRole('alert')).toContainText(says)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: 'Add photos' })).toBeEnabled()
    })
  })
}

test(
  'one of several cameras is chosen and remembered; unplugged, it says so',
  { tag: '@long' },
  async ({ station }) => {
    test.skip(station.host !== 'browser', 'the other hosts have a browser of their own')
    await openWith(station.url, ['--use-fake-device-for-media-stream=device-count=2', allowed], async (page) => {
      const camera = cameraOf(page)
      const choice = camera.getByLabel('Camera', { exact: true })
      const take = camera.getByRole('button', { name: 'Take photo' })
      await page.getByRole('button', { name: 'Use camera' }).click()
      await expect(take).toBeFocused()
      await expect(choice.locator('option:checked')).toHaveText('fake_device_0')
      await expectFitting(page, 'two cameras')
      await choice.selectOption('fake_device_1')
      await expect(take).toBeEnabled()
      await expect.poll(() => tracks(page)).toEqual(['video ended', 'video live'])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Use camera' }).click()
      await expect(choice.locator('option:checked')).toHaveText('fake_device_1')
      await expect(take).toBeEnabled()

      // Chromium's test cameras can't be unplugged: this is what the page hears then.
      await page.evaluate("window.tracks.at(-1).dispatchEvent(new Event('ended'))")
      await expect(camera.getByRole('alert')).toContainText('The camera was disconnected')
      expect((await tracks(page)).at(-1)).toBe('video ended')
      await camera.getByRole('button', { name: 'Try again' }).click()
      await expect(take).toBeEnabled()
    })
  },
)
