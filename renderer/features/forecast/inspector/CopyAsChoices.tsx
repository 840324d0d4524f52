// The request as commands and code, for the clipboard.
import { Button } from '@mantine/core';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useCopy } from '../../../store/use-copy.ts';
import { copyFormats, copyRequestAs } from './copy-request.ts';

type Props = { forecast: Forecast; panelId: string };

export function CopyAsChoices({ forecast, panelId }: Readonly<Props>) {
  const copy = useCopy();
  return copyFormats.map((format) => (
    <Button
      key={format}
      variant="subtle"
      color="gray"
      popoverTarget={panelId}
      popoverTargetAction="hide"
      onClick={() => copy({ text: copyRequestAs(format, forecast), message: `Request copied as ${format}` })}
    >
      Copy request as {format}
    </Button>
  ));
}
