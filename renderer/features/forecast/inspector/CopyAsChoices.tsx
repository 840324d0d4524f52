// The request as commands and code, for the clipboard.
import { Button } from '@mantine/core';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { copyFormats, copyRequestAs } from './copy-request.ts';

type Props = { forecast: Forecast; panelId: string; onCopy: (text: string, message: string) => void };

export function CopyAsChoices({ forecast, panelId, onCopy }: Readonly<Props>) {
  return copyFormats.map((format) => (
    <Button
      key={format}
      variant="subtle"
      color="gray"
      popoverTarget={panelId}
      popoverTargetAction="hide"
      onClick={() => onCopy(copyRequestAs(format, forecast), `Request copied as ${format}`)}
    >
      Copy request as {format}
    </Button>
  ));
}
