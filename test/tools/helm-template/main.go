// Renders a Helm chart as Helm does: Go's text/template with sprig and Helm's own `include`, `required`, and `tpl`. Helm itself is not
// in Debian. Reads {"templates": {path: text}, "data": {"Values": …, "Release": …, "Chart": …}} and writes {path: text}.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

type input struct {
	Templates map[string]string
	Data      map[string]interface{}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var in input
	decoder := json.NewDecoder(os.Stdin)
	decoder.UseNumber()
	if err := decoder.Decode(&in); err != nil {
		return err
	}
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := root.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"required": func(warning string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, errors.New(warning)
			}
			return value, nil
		},
	})
	for path, text := range in.Templates {
		if _, err := root.New(path).Parse(text); err != nil {
			return err
		}
	}
	out := map[string]string{}
	for path := range in.Templates {
		if strings.HasSuffix(path, ".tpl") {
			continue
		}
		data := map[string]interface{}{"Template": map[string]interface{}{"Name": path, "BasePath": "rainbell/templates"}}
		for key, value := range in.Data {
			data[key] = value
		}
		var text strings.Builder
		if err := root.ExecuteTemplate(&text, path, data); err != nil {
			return err
		}
		out[path] = text.String()
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}
