import ArgumentParser
import SQLDatabase
import Store

/// `trackme backup`
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the database, as it is at one instant, while the server runs.",
        discussion: "The copy holds no key: keep the directory of the settings apart from it.")

    @Argument(help: ArgumentHelp("A file that does not exist yet.", valueName: "file"))
    var file: String

    @OptionGroup var config: ConfigOption

    func run() throws {
        try config.load().openDatabase().backUp(to: file)
        print("copied: \(file)")
    }
}
