import CToml

/// Puts the parser's walk together again: a stack of what is entered and not yet left.
final class TOMLTreeBuilder {
    private(set) var root: TOMLTable?
    private var open: [Container] = []

    private struct Container {
        let key: String?
        let position: TOMLPosition
        let isTable: Bool
        var entries: [TOMLTable.Entry] = []
        var elements: [TOMLNode] = []

        var value: TOMLValue {
            isTable ? .table(TOMLTable(entries: entries)) : .array(elements)
        }
    }

    func take(_ event: ctoml_event) {
        let position = TOMLPosition(line: Int(event.line), column: Int(event.column))
        switch event.kind {
        case CTOML_ENTER_TABLE, CTOML_ENTER_ARRAY:
            open.append(
                Container(key: event.name, position: position, isTable: event.kind == CTOML_ENTER_TABLE))
        case CTOML_LEAVE: leave()
        default: add(TOMLNode(value: event.value, position: position), key: event.name)
        }
    }

    private func leave() {
        guard let left = open.popLast() else { return }
        if open.isEmpty {
            root = TOMLTable(entries: left.entries)
        } else {
            add(TOMLNode(value: left.value, position: left.position), key: left.key)
        }
    }

    private func add(_ node: TOMLNode, key: String?) {
        guard let last = open.indices.last else { return }
        if let key {
            open[last].entries.append(TOMLTable.Entry(key: key, node: node))
        } else {
            open[last].elements.append(node)
        }
    }
}

extension ctoml_event {
    fileprivate var name: String? {
        key.map { copied($0, key_length) }
    }

    fileprivate var value: TOMLValue {
        switch kind {
        case CTOML_STRING: .string(text.map { copied($0, text_length) } ?? "")
        case CTOML_INTEGER: .integer(integer)
        case CTOML_FLOAT: .float(number)
        case CTOML_BOOLEAN: .boolean(truth)
        default: .dateOrTime
        }
    }
}

/// The parser has refused whatever is not UTF-8.
private func copied(_ start: UnsafePointer<CChar>, _ length: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
}
