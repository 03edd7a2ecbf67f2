internal import GatewayModel
internal import RunBeacon

extension Form where Value == WallTime {
    static var instant: Form {
        let form = Form<WallTime>.text(WallTime.rfc3339Form) { text in
            WallTime(rfc3339: text).map { .accepted($0) }
                ?? .refused("write date, T, time and offset; Z is the offset of UTC")
        }
        return Form(form.expected) { value in
            if case .dateOrTime = value { return .refused("put it in quotes") }
            return form.judge(value)
        }
    }
}

extension Form where Value == CompanionFile {
    static var companionFile: Form {
        text(CompanionFile.form) { text in
            CompanionFile(text).map { .accepted($0) }
                ?? .refused("put the file into the folder of the run file and write its name alone")
        }
    }
}

extension Form where Value == Bib {
    static var bib: Form {
        let number = Form<Int>.wholeNumber(Bib.range)
        return Form("a bib, \(Bib.range.lowerBound) to \(Bib.range.upperBound)") { value in
            switch number.judge(value) {
            case .accepted(let number):
                Bib(number).map { .accepted($0) } ?? .refused("choose a value in this range")
            case .refused(let advice): .refused(advice)
            }
        }
    }
}

extension Form where Value == [Double] {
    /// Metres along the course, ascending.
    static var distances: Form {
        let metres = Form<Double>.number(Checkpoint.reach)
        return Form("a list of metres from the start such as [0] or [2500, 7500], ascending") { value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard !nodes.isEmpty else {
                return .refused("write at least one: a loop passes one point several times")
            }
            var distances: [Double] = []
            for node in nodes {
                guard case .accepted(let distance) = metres.judge(node.value) else {
                    return .refused(
                        "correct \(node.value): a number, \(metres.expected.dropFirst("a number, ".count))")
                }
                guard distances.last.map({ $0 < distance }) ?? true else {
                    return .refused("write \(node.value) where it belongs: each is farther than the one before")
                }
                distances.append(distance)
            }
            return .accepted(distances)
        }
    }
}

extension Form where Value == [TagName] {
    /// A mistake is told by its place: somebody may have written a key where its file belongs.
    static var tags: Form {
        Form("a list of at most \(Entrant.mostTags) tags such as [\"C0:FF:EE:00:00:01\"]", isPersonal: true) {
            value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard nodes.count <= Entrant.mostTags else { return .refused("shorten the list") }
            var tags: [TagName] = []
            for (number, node) in nodes.enumerated() {
                guard case .string(let text) = node.value else {
                    return .refused("write number \(number + 1) in quotes")
                }
                do throws(TagIdentity.Flaw) {
                    let tag = try TagName(text)
                    guard !tags.contains(tag) else { return .refused("write number \(number + 1) once") }
                    tags.append(tag)
                } catch {
                    return .refused("in number \(number + 1), \(error)")
                }
            }
            return .accepted(tags)
        }
    }
}
