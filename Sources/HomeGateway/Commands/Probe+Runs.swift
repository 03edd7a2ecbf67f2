import Hub
import Settings

extension Probe {
    /// The run files, where there is a folder of them; a house that times nobody has none.
    static func runs(of settings: GatewaySettings) -> [Probe] {
        let folder = RunFolder(path: settings.race.runsDirectory, course: CourseFiles.reader)
        guard folder.exists else { return [] }
        return [
            Probe(title: "run files") {
                let content = folder.read()
                guard content.errors.isEmpty else {
                    return .problem("\(content.errors.count) wrong in \(folder.path): homegateway runs check")
                }
                return .well("\(content.files.count) runs in \(folder.path)")
            }
        ]
    }
}
