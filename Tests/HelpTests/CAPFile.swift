import Foundation
import TestSupport

/// Validation of a CAP message by `workbench/cap`, with libxml2 and the schema of the standard.
struct CAPFile: Decodable {
    /// Nil where the schema and the rules beside it hold.
    let problem: String?
    let fields: [String: String]
    let parameters: [[String]]

    subscript(_ name: String) -> String? { fields[name] }

    func parameter(_ name: String) -> [String] { parameters.filter { $0[0] == name }.map { $0[1] } }

    static func read(_ documents: [[UInt8]]) throws -> [CAPFile] {
        let scratch = try ScratchDirectory()
        var files: [String] = []
        for (number, document) in documents.enumerated() {
            let file = scratch.file("\(number).xml")
            try Data(document).write(to: file)
            files.append(file.path)
        }
        let child = try ChildProcess(
            AmbulanceRig.tests.appending(path: "Rig/cap/validate.py").path, files,
            output: scratch.file("output"))
        guard child.waitForSuccess() else { throw Failure(output: child.text) }
        return try child.text.split(separator: "\n").map {
            try JSONDecoder().decode(CAPFile.self, from: Data($0.utf8))
        }
    }

    static func read(_ document: [UInt8]) throws -> CAPFile { try read([document])[0] }

    struct Failure: Error { let output: String }
}
