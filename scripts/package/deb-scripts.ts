import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/** Where packages install udev rules; /etc belongs to the administrator and takes precedence. */
const rules = '/usr/lib/udev/rules.d'

/**
 * Copied by the script instead of shipped as a package file: the rule in /opt and the rule in use are then always the
 * same version.
 */
const install = (rule: string) => `
# Scanners in HID mode: the person at the screen may read them, those that are plugged in already as well.
mkdir -p '${rules}'
install -m 644 '/opt/\${sanitizedProductName}/resources/linux/${rule}' '${rules}/${rule}'
if type udevadm >/dev/null 2>&1; then
    udevadm control --reload || true
    udevadm trigger --subsystem-match=hidraw || true
fi
`

const remove = (rule: string) => `
# dpkg calls this with "upgrade" as well, when the new version has put its own rule there already.
if [ "$1" = remove ] || [ "$1" = purge ]; then
    rm -f '${rules}/${rule}'
    if type udevadm >/dev/null 2>&1; then udevadm control --reload || true; fi
fi
`

/**
 * Scripts for the .deb: electron-builder's own (menu, sandbox, AppArmor), which this setting would replace, followed by
 * ours. Written into `folder`, because electron-builder takes files.
 */
export function debScripts(folder: string, rule: string): { afterInstall: string; afterRemove: string } {
  const builder = createRequire(createRequire(resolve('scripts/package/package.json')).resolve('electron-builder'))
  const templates = join(dirname(builder.resolve('app-builder-lib/package.json')), 'templates/linux')
  mkdirSync(folder, { recursive: true })
  const write = (name: string, own: string) => {
    const file = resolve(folder, name)
    writeFileSync(file, `${readFileSync(join(templates, name), 'utf8').trimEnd()}\n${own}`)
    return file
  }
  return {
    afterInstall: write('after-install.tpl', install(rule)),
    afterRemove: write('after-remove.tpl', remove(rule)),
  }
}
